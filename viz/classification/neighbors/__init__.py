"""Pictures and words of the labs that look at the points close by."""
