#!/bin/sh
# Replaces Docker when wrangler builds and pushes the Container's image. It builds nothing, and answers as after a successful push.
# DOCKER_CALLS names a file that gets a line for each call.
digest="sha256:$(printf 'a%.0s' $(seq 64))"
[ -z "$DOCKER_CALLS" ] || echo "$*" >> "$DOCKER_CALLS"
case "$*" in
  "image inspect registry.cloudflare.com/"*RepoDigests*) echo "[\"${3%:*}@$digest\"]" ;;
  *RepoDigests*) echo '[]' ;;
  *.Size*) echo '300000000 8' ;;
  "manifest inspect"*) echo "{\"Descriptor\":{\"digest\":\"$digest\"}}" ;;
  build*|login*) cat > /dev/null ;;
esac
