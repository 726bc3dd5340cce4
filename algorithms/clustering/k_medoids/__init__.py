"""k-medoids: PAM, and CLARA and CLARANS for many points."""
