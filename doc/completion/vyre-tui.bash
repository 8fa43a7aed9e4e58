# bash: what completes vyre-tui's words, as the vyre-tui that is installed knows them
eval "$(vyre-tui completion bash)"
