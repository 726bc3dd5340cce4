"""Pictures and words of the labs that look at nearby points."""
