"""What support vector machines, regression and the one-class machine share: duals that climb."""
