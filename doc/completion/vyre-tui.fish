# fish: what completes vyre-tui's words, as the vyre-tui that is installed knows them
vyre-tui completion fish | source
