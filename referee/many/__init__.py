"""Many recordings: judged by several processes, here or on a cluster, each exactly once.

`work` judges one recording and never raises; `pool` spreads jobs over processes of this computer; `cluster` over a Dask
cluster; `summary` tells people how it went.
"""
