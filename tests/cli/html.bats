# Pages for the browser, as files; tests/browser looks at them.
load common

setup () {
  cd "$BATS_TEST_TMPDIR" || return
  small_model
}

# What is in the page, as JSON.
data () {
  sed -n 's/^<script type="application\/json" id="data">\(.*\)<\/script>$/\1/p' "$1"
}

# A report without what differs from run to run.
steady () {
  jq -cS 'del (.. | .seconds?, .peak_rss_bytes?, .memory?, .store_bytes?)'
}

@test "the report inside is the documented one" {
  tideline check small.pnml deadlock 'AG fork_1 <= 1' --json --markings changed
  tideline_json=$output
  tideline check small.pnml deadlock 'AG fork_1 <= 1' --html page.html
  equals "$status" 0
  equals "$(data page.html | jq .report | steady)" "$(steady <<<"$tideline_json")"
  tideline explore small.pnml -q --html page.html
  equals "$(data page.html | jq -c '[.command, .report.states, (.states | length)]')" '["explore",14,14]'
  tideline graph small.pnml --html page.html
  equals "$(data page.html | jq -c '[.command, .report.graph_states, (.states | length)]')" '["graph",14,14]'
  tideline simulate small.pnml -c 1 -c 1 --html page.html
  equals "$(data page.html | jq -c '[.command, .report.steps, .traces[0].fired]')" '["simulate",2,[0,1]]'
}

@test "the policy names the style and the script of the page" {
  tideline check small.pnml deadlock -q --html page.html
  hash () { openssl dgst -sha256 -binary | base64; }
  command -v openssl >/dev/null || skip "no openssl"
  style=$(perl -0ne 'print $1 if m!<style>(.*?)</style>!s' page.html | hash)
  script=$(perl -0ne 'print $1 if m!<script>(.*?)</script>!s' page.html | hash)
  contains "$(grep Content-Security page.html)" "default-src 'none'; img-src data:; style-src 'sha256-$style'; script-src 'sha256-$script'"
}

@test "names do not become markup" {
  cat >hostile.pnml <<'END'
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">
<place id="a"><name><text>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</text></name><initialMarking><text>1</text></initialMarking></place>
<place id="b"/><transition id="t"/><arc id="x" source="a" target="t"/><arc id="y" source="t" target="b"/></page></net></pnml>
END
  tideline check hostile.pnml deadlock -q --html page.html
  equals "$status" 0
  equals "$(grep -c alert page.html)" 1
  equals "$(grep -o '<script' page.html | wc -l)" 2
  equals "$(grep -o '</script' page.html | wc -l)" 2
}

@test "without Graphviz the page lays out itself" {
  mkdir none
  run --separate-stderr env PATH="$PWD/none" "$TIDELINE" check small.pnml deadlock -q --html page.html
  equals "$status" 0
  equals "$(data page.html | jq .net_layout)" null
}

@test "Graphviz that takes too long is not waited for" {
  mkdir slow
  printf '#!/bin/sh\nexec /bin/sleep 100\n' >slow/dot
  chmod +x slow/dot
  begin=$SECONDS
  PATH=$PWD/slow:$PATH tideline check small.pnml deadlock -q --html page.html
  equals "$status" 0
  [ $((SECONDS - begin)) -lt 60 ]
  equals "$(data page.html | jq .net_layout)" null
}

@test "a page that cannot be written is told before the search" {
  fails 2 "none/page.html: cannot write: No such file or directory" \
    check small.pnml deadlock --html none/page.html
  fails 2 "none/page.html: cannot write: No such file or directory" \
    simulate small.pnml -c 1 --html none/page.html
}

@test "an incomplete run has its page, too" {
  tideline explore small.pnml -q --max-states 5 --html page.html
  equals "$status" 3
  equals "$(data page.html | jq -c '[.report.complete, .states]')" '[false,null]'
}
