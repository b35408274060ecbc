"""The libraries that models are trained with: one file each, one seam (`library.Library`)."""
