#!/bin/sh
# Plays the first of its options, in every game.
while read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type":"hello","protocol":1,"name":"first move"}'
        ;;
    '{"type":"turn"'*)
        options=${line#*'"options":["'}
        echo '{"type":"move","move":"'"${options%%'"'*}"'"}'
        ;;
    esac
done
