"""Generator of the bundled bank: synthetic data in the shape of the PKDD'99 financial files."""
