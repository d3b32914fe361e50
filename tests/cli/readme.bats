# The commands that the pages show, with the output they show.  Figures that
# depend on the machine are left out of the comparison.
load common
load mask

# A page is as tools/readme would write it, and has its commands in blocks.
page () {
  ! grep -nE '^    (\$ )?tideline ' "$1" || { echo "$1: no block"; return 1; }
  TIDELINE=$TIDELINE tools/readme "$1" >"$BATS_TEST_TMPDIR/now" || return 1
  diff <(mask <"$1") <(mask <"$BATS_TEST_TMPDIR/now")
}

@test "README: commands and their output" {
  cd "$BATS_TEST_DIRNAME/../.."
  grep -q '^\$ tideline explore' README.md
  page README.md
}

@test "docs: commands and their output" {
  cd "$BATS_TEST_DIRNAME/../.."
  for file in docs/*.md docs/internals/*.md; do
    page "$file"
  done
}

@test "docs: links lead to files that are there" {
  cd "$BATS_TEST_DIRNAME/../.."
  local file link broken=
  for file in *.md docs/*.md docs/internals/*.md; do
    while read -r link; do
      [ -e "${file%"${file##*/}"}$link" ] || broken+="$file: $link "
    done < <(grep -oE '\]\([^)# ]+' "$file" | sed 's/^](//' | grep -v ^http)
  done
  equals "$broken" ""
}
