# For the scripts samples/*/run, soak/run and benchmark/run.

# Ends Maven, all it has started, and then the script.
end_maven() {
  trap '' INT TERM HUP
  kill -TERM -- "-$1" 2> /dev/null || true
  wait "$1" 2> /dev/null || true
  echo "the build was ended" >&2
  exit "$2"
}

# maven LOG ARGUMENT...: runs Maven, and writes its output to LOG. Maven has a process group of its own,
# which ends with the script. So a build that is ended leaves nothing running.
maven() {
  local log=$1 build status=0
  shift
  set -m
  mvn -B -ntp "$@" > "$log" 2>&1 < /dev/null &
  build=$!
  set +m
  trap "end_maven $build 130" INT
  trap "end_maven $build 143" TERM
  trap "end_maven $build 129" HUP
  wait "$build" || status=$?
  trap - INT TERM HUP
  return "$status"
}
