#!/bin/sh
# What the Model Checking Contest starts, in the folder of a model: the program is
# beside this file, in BK_BIN_PATH, or installed.  docs/contest.md has the rest.
PATH=$(dirname "$0"):${BK_BIN_PATH:+$BK_BIN_PATH:}$PATH
exec tideline mcc
