"""Code for the RP2040 alone: viper drivers, PIO and DMA."""
