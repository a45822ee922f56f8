# Shared by .ci/run, .ci/full and .ci/census: steps with their times, and what their tests said.
#
# A step that fails does not end the run, so that one run shows all that fails. Outputs of steps, and the reports of
# tests that failed, stay in $CI_LOGS if it names a folder.

if [ -n "${CI_LOGS:-}" ]; then
	logs=$CI_LOGS
	mkdir -p "$logs"
else
	logs=$(mktemp -d)
	trap 'rm -rf "$logs"' EXIT
fi
: > "$logs/steps"
rm -f */target/failed-tests/*.txt
started=$SECONDS
number=0

maven() { mvn -B -ntp -Dstyle.color=never "$@"; }

# Unit tests are for the step that runs them all.
no_unit_tests=(-Dtest=Nothing -Dsurefire.failIfNoSpecifiedTests=false)

# step NAME COMMAND...: runs it, and notes its time and its end.
step() {
	local name=$1 begun=$SECONDS code=0
	shift
	number=$((number + 1))
	local log
	log=$logs/$(printf '%02d' "$number").log
	printf '\n=== [%4d s] %s\n' "$((SECONDS - started))" "$name"
	"$@" > >(tee "$log") 2>&1 < /dev/null || code=$?
	wait $! 2> /dev/null || true
	printf '%d %d %s %s\n' "$((SECONDS - begun))" "$code" "$log" "$name" >> "$logs/steps"
	if [ $code != 0 ] || grep -q '^\[WARNING\] Flakes: $' "$log"; then
		[ $code = 0 ] || printf '=== FAILED with %d: %s\n' "$code" "$name"
		print_records
		keep_reports "$(basename "$log" .log)"
	fi
	return $code
}

# What tests printed before they failed, and what their threads did (FailureRecords): a test that runs again overwrites its output.
print_records() {
	local record shown=0
	for record in */target/failed-tests/*.txt; do
		[ -f "$record" ] || continue
		shown=$((shown + 1))
		if [ $shown -le 10 ]; then
			printf '\n=== before the failure: %s\n' "${record##*/}"
			tail -c 150000 "$record"
		fi
		rm "$record"
	done
	[ $shown -le 10 ] || printf '\n=== and %d more failures\n' "$((shown - 10))"
}

# What tests printed, and where they failed.
keep_reports() {
	local reports
	for reports in */target/*-reports */*/target/*-reports */*/*/target/*-reports; do
		if [ -d "$reports" ] && [ -n "${CI_LOGS:-}" ]; then
			mkdir -p "$logs/reports-$1/${reports%/target/*}"
			cp -r "$reports" "$logs/reports-$1/${reports%/target/*}/"
		fi
	done
}

# Tests that passed only when they were run again: class#method: first line of the failure.
flaky() {
	awk '
		/^\[(WARNING|ERROR)\] (Flakes|Failures|Errors): *$/ { flakes = /Flakes/; test = ""; next }
		/Tests run: / { flakes = 0 }
		!flakes { next }
		/^\[WARNING\] [A-Za-z_]/ { test = $2; sub(/\(.*/, "", test); n = split(test, part, "."); test = part[n - 1] "#" part[n]; next }
		/^\[ERROR\] +Run [0-9]+: / && test != "" { line = $0; sub(/^\[ERROR\] +Run [0-9]+: /, "", line); print "FLAKY " test ": " line; test = "" }
	' "$@"
}

# Tests that failed in the end: class#method and the first line of the failure.
failures() {
	awk '
		/^\[ERROR\] (Failures|Errors): *$/ { listed = 1; next }
		/Tests run: / { listed = 0 }
		listed && /^\[ERROR\]   [A-Za-z_]/ {
			line = $0
			sub(/^\[ERROR\] +/, "", line)
			where = line
			sub(/[:( ].*/, "", where)
			sub(/\./, "#", where)
			sub(/^[^ ]+ ?/, "", line)
			print where " " line
		}
	' "$@"
}

# passed, failed and skipped tests of the whole run; a step without tests, or one that fails beside them, counts as one.
count() {
	while read -r _ code log _; do
		awk -v code="$code" '
			/Tests run: .*Skipped: [0-9]+(, Flakes: [0-9]+)?$/ && !/Time elapsed/ && !/ in / {
				gsub(/,/, ""); sub(/^.*Tests run: /, "Tests run: ")
				run += $3; bad += $5 + $7; skipped += $9
			}
			END {
				passed = run - bad - skipped
				if (code != 0 && bad == 0) bad = 1
				else if (run == 0) passed = 1
				print passed, bad, skipped
			}' "$log"
	done < "$logs/steps" | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }'
}

# Ends the run: times, flaky tests (no more than $1), and the sum as the last line.
finish() {
	local most=$1 passed failed skipped total=$((SECONDS - started)) took code name again=0
	printf '\n=== the time of each step\n'
	while read -r took code _ name; do
		printf '%5d s  %s%s\n' "$took" "$name" "$([ "$code" = 0 ] || echo "  FAILED")"
	done < "$logs/steps"
	printf '%5d s  in all\n' "$total"
	cut -d' ' -f3 "$logs/steps" | while read -r log; do flaky "$log"; done > "$logs/flaky"
	again=$(wc -l < "$logs/flaky")
	cat "$logs/flaky"
	read -r passed failed skipped < <(count)
	if [ "$again" -gt "$most" ]; then
		echo "$again tests passed only when they were run again; more than $most fail the run"
		failed=$((failed + 1))
	fi
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
}
