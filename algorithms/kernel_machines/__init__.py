"""The solver that support vector machine, regression and one-class machine share."""
