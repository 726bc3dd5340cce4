"""Which class does a point belong to?"""
