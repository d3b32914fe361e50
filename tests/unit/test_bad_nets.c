// Malformed and unsupported nets: each file of tests/bad is named for its
// defect and must be refused with the right code, line and words.

#include "read/read.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FOLDER "tests/bad/"

typedef struct bad {
  const char *file;
  tl_status code;
  long line; // 0: of no line in particular
  const char *words;
} bad;

static const bad rows[] = {
    {"greatspn/arc-of-colours.net", TL_E_MODEL, 6,
     "the arc has a function of colours or of the marking, which is not "
     "supported"},
    {"greatspn/arc-to-no-place.net", TL_E_SYNTAX, 6, "there is no place 2"},
    {"greatspn/arc-weight-parameter.net", TL_E_MODEL, 7,
     "the weight 20000 may stand for a marking parameter, which is not "
     "supported"},
    {"greatspn/arc-weight-too-large.net", TL_E_SYNTAX, 6,
     "the arc weight '4294967296' is larger than 4294967295"},
    {"greatspn/arc-weight-zero.net", TL_E_SYNTAX, 6, "an arc of weight 0"},
    {"greatspn/control-character.net", TL_E_SYNTAX, 4,
     "a control character (1)"},
    {"greatspn/coordinate.net", TL_E_SYNTAX, 4,
     "expected a coordinate, not 'here'"},
    {"greatspn/delay-deterministic.net", TL_E_MODEL, 5,
     "time is not supported: the delay of this transition is not exponential"},
    {"greatspn/ends-in-arcs.net", TL_E_SYNTAX, 6,
     "expected a number, not the end of the file"},
    {"greatspn/ends-in-comment.net", TL_E_SYNTAX, 3,
     "expected the line of numbers that begins with f, not the end of the "
     "file"},
    {"greatspn/ends-in-places.net", TL_E_SYNTAX, 5,
     "expected the name of a place, not the end of the file"},
    {"greatspn/ends-in-points.net", TL_E_SYNTAX, 8,
     "expected a coordinate, not the end of the file"},
    {"greatspn/guard.net", TL_E_MODEL, 5,
     "the transition has a guard: coloured nets of GreatSPN are not supported"},
    {"greatspn/kind-unknown.net", TL_E_SYNTAX, 6, "there is no group 2"},
    {"greatspn/load-dependent.net", TL_E_MODEL, 5,
     "rates that depend on the load are not supported"},
    {"greatspn/marking-coloured.net", TL_E_MODEL, 4,
     "the marking is coloured: coloured nets of GreatSPN are not supported"},
    {"greatspn/marking-not-a-number.net", TL_E_SYNTAX, 4,
     "the marking 'many' is not a whole number"},
    {"greatspn/marking-of-no-parameter.net", TL_E_SYNTAX, 5,
     "there is no marking parameter 2"},
    {"greatspn/marking-without-value.net", TL_E_MODEL, 5,
     "marking parameter 1 has no value"},
    {"greatspn/name-is-tag.net", TL_E_SYNTAX, 4,
     "the name of a place is empty"},
    {"greatspn/numbers-missing.net", TL_E_SYNTAX, 3,
     "expected a number, not the end of the line"},
    {"greatspn/numbers-without-f.net", TL_E_SYNTAX, 3,
     "expected the line of numbers that begins with f, not 'g'"},
    {"greatspn/parameter-negative.net", TL_E_SYNTAX, 4,
     "the value '-3' is negative"},
    {"greatspn/place-coloured.net", TL_E_MODEL, 4,
     "the place has colours: coloured nets of GreatSPN are not supported"},
    {"greatspn/place-twice.net", TL_E_SYNTAX, 5, "a second place 'p'"},
    {"greatspn/priority-of-two-places.net", TL_E_MODEL, 11,
     "this transition has priority over others, which is supported only where "
     "it takes from one place and none inhibits it"},
    {"greatspn/priority-that-is-inhibited.net", TL_E_MODEL, 10,
     "this transition has priority over others, which is supported only where "
     "it takes from one place and none inhibits it"},
    {"greatspn/rate-not-a-number.net", TL_E_SYNTAX, 5,
     "expected a rate, not '*'"},
    {"greatspn/rate-of-marking.net", TL_E_MODEL, 6,
     "rates that depend on the marking are not supported"},
    {"greatspn/rate-zero.net", TL_E_MODEL, 5, "a rate of 0"},
    {"greatspn/transition-twice.net", TL_E_SYNTAX, 7,
     "a second transition 't'"},
    {"lola/capacity-not-a-number.lola", TL_E_SYNTAX, 1,
     "the capacity 'x' is not a whole number"},
    {"lola/capacity-without-colon.lola", TL_E_SYNTAX, 1,
     "expected ':' behind SAFE, not a"},
    {"lola/control-character.lola", TL_E_SYNTAX, 1, "a control character (1)"},
    {"lola/duplicate-place.lola", TL_E_SYNTAX, 2, "a second place 'a'"},
    {"lola/duplicate-transition.lola", TL_E_SYNTAX, 4,
     "a second transition 't'"},
    {"lola/endless-comment.lola", TL_E_SYNTAX, 2, "this comment has no end"},
    {"lola/endless-star-comment.lola", TL_E_SYNTAX, 2,
     "this comment has no end"},
    {"lola/ends-after-places.lola", TL_E_SYNTAX, 2,
     "expected MARKING, not the end of the file"},
    {"lola/ends-in-places.lola", TL_E_SYNTAX, 2,
     "expected the name of a place, not the end of the file"},
    {"lola/ends-in-transition.lola", TL_E_SYNTAX, 5,
     "expected PRODUCE, not the end of the file"},
    {"lola/escaped-not-utf8.lola", TL_E_SYNTAX, 2, "is not UTF-8"},
    {"lola/escaped-zero-byte.lola", TL_E_SYNTAX, 2,
     "contains a control character"},
    {"lola/fairness.lola", TL_E_SYNTAX, 3, "expected FAIR, not CONSUME"},
    {"lola/high-level.lola", TL_E_MODEL, 1,
     "high-level LoLA nets cannot be read"},
    {"lola/keyword-as-name.lola", TL_E_SYNTAX, 1,
     "expected ':' behind SAFE, not ';'"},
    {"lola/markings-add-up-too-high.lola", TL_E_SYNTAX, 3,
     "a place with more than 4294967295 tokens"},
    {"lola/no-marking.lola", TL_E_SYNTAX, 2,
     "expected the name of a place, not TRANSITION"},
    {"lola/no-places.lola", TL_E_SYNTAX, 1, "expected PLACE, not MARKING"},
    {"lola/no-semicolon.lola", TL_E_SYNTAX, 2,
     "expected ',' or ';' behind a place, not MARKING"},
    {"lola/stray-brace.lola", TL_E_SYNTAX, 2, "'}' is out of place"},
    {"lola/text-after-end.lola", TL_E_SYNTAX, 3,
     "expected TRANSITION, not more"},
    {"lola/unknown-place-in-arc.lola", TL_E_SYNTAX, 4, "there is no place 'b'"},
    {"lola/unknown-place-in-marking.lola", TL_E_SYNTAX, 2,
     "there is no place 'b'"},
    {"lola/weight-missing.lola", TL_E_SYNTAX, 3, "expected a number, not ';'"},
    {"lola/weight-negative.lola", TL_E_SYNTAX, 3,
     "the number '-1' is negative"},
    {"lola/weight-not-a-number.lola", TL_E_SYNTAX, 3,
     "the number 'a' is not a whole number"},
    {"lola/weight-too-large.lola", TL_E_SYNTAX, 3,
     "the number '4294967296' is larger than 4294967295"},
    {"lola/weight-zero.lola", TL_E_SYNTAX, 3, "an arc of weight 0"},
    {"lola/zero-byte.lola", TL_E_SYNTAX, 2, "a control character (0)"},
    {"pnml/arc-between-places.pnml", TL_E_SYNTAX, 7,
     "this arc connects two places"},
    {"pnml/arc-between-transitions.pnml", TL_E_SYNTAX, 4,
     "this arc connects two transitions"},
    {"pnml/arc-from-nowhere.pnml", TL_E_SYNTAX, 6,
     "this arc begins at unknown node 'q'"},
    {"pnml/arc-to-nowhere.pnml", TL_E_SYNTAX, 6,
     "this arc ends at unknown node 'u'"},
    {"pnml/arc-without-source.pnml", TL_E_SYNTAX, 6,
     "this arc has no 'source'"},
    {"pnml/arc-without-target.pnml", TL_E_SYNTAX, 6,
     "this arc has no 'target'"},
    {"pnml/attribute-defaults.pnml", TL_E_SYNTAX, 2,
     "attribute declarations are not supported"},
    {"pnml/capacity.pnml", TL_E_MODEL, 4, "place capacities are not supported"},
    {"pnml/coloured-condition.pnml", TL_E_MODEL, 4, "terms over colours"},
    {"pnml/coloured-inscription.pnml", TL_E_MODEL, 6, "terms over colours"},
    {"pnml/coloured-marking.pnml", TL_E_MODEL, 4, "terms over colours"},
    {"pnml/control-character-in-id.pnml", TL_E_SYNTAX, 4,
     "contains a control character"},
    {"pnml/duplicate-attribute.pnml", TL_E_SYNTAX, 4,
     "XML: duplicate attribute"},
    {"pnml/duplicate-place.pnml", TL_E_SYNTAX, 5, "a second node 'p'"},
    {"pnml/duplicate-transition.pnml", TL_E_SYNTAX, 5, "a second node 't'"},
    {"pnml/empty-id.pnml", TL_E_SYNTAX, 4, "the 'id' of this place is empty"},
    {"pnml/entity-bomb.pnml", TL_E_SYNTAX, 3,
     "entity 'b' is refused: only a few short texts are allowed"},
    {"pnml/external-entity.pnml", TL_E_SYNTAX, 2,
     "entity 'a' is refused: it is external"},
    {"pnml/inhibitor-arc-to-place.pnml", TL_E_SYNTAX, 6,
     "this inhibitor arc leads to a place"},
    {"pnml/long-entity.pnml", TL_E_SYNTAX, 2,
     "entity 'a' is refused: only a few short texts are allowed"},
    {"pnml/many-entities.pnml", TL_E_SYNTAX, 102,
     "entity 'e100' is refused: only a few short texts are allowed"},
    {"pnml/marking-negative.pnml", TL_E_SYNTAX, 5,
     "the initial marking '-1' is negative"},
    {"pnml/marking-not-a-number.pnml", TL_E_SYNTAX, 5,
     "the initial marking '1x' is not a whole number"},
    {"pnml/marking-sign-only.pnml", TL_E_SYNTAX, 5,
     "the initial marking '-' is not a whole number"},
    {"pnml/marking-too-large.pnml", TL_E_SYNTAX, 5,
     "is larger than 4294967295"},
    {"pnml/marking-twice.pnml", TL_E_SYNTAX, 5, "a second initial marking"},
    {"pnml/mismatched-tags.pnml", TL_E_SYNTAX, 4, "XML: mismatched tag"},
    {"pnml/no-net.pnml", TL_E_SYNTAX, 1, "the document holds no net"},
    {"pnml/not-pnml.pnml", TL_E_SYNTAX, 2,
     "the document is a <html>, not a <pnml>"},
    {"pnml/not-utf8.pnml", TL_E_SYNTAX, 4, "XML: not well-formed"},
    {"pnml/parameter-entity.pnml", TL_E_SYNTAX, 2, "entity 'a' is refused"},
    {"pnml/place-and-reference-share-id.pnml", TL_E_SYNTAX, 6,
     "a second node 'p'"},
    {"pnml/place-and-transition-share-id.pnml", TL_E_SYNTAX, 5,
     "a second node 'p'"},
    {"pnml/place-without-id.pnml", TL_E_SYNTAX, 4, "this place has no 'id'"},
    {"pnml/reference-and-place-share-id.pnml", TL_E_SYNTAX, 6,
     "a second node 'p'"},
    {"pnml/reference-to-itself.pnml", TL_E_SYNTAX, 4,
     "reference 'p' does not lead to a place"},
    {"pnml/reference-to-nothing.pnml", TL_E_SYNTAX, 5,
     "reference 'p' does not lead to a place"},
    {"pnml/reference-to-other-kind.pnml", TL_E_SYNTAX, 5,
     "reference 't' does not lead to a transition"},
    {"pnml/reference-without-target.pnml", TL_E_SYNTAX, 4,
     "this reference has no 'ref'"},
    {"pnml/references-in-a-circle.pnml", TL_E_SYNTAX, 5,
     "reference 'q' does not lead to a place"},
    {"pnml/skipped-entity.pnml", TL_E_SYNTAX, 3, "entity 'none' is unknown"},
    {"pnml/text-after-end.pnml", TL_E_SYNTAX, 9, "XML: "},
    {"pnml/truncated-in-element.pnml", TL_E_SYNTAX, 5, "XML: no element found"},
    {"pnml/truncated-in-tag.pnml", TL_E_SYNTAX, 4, "XML: unclosed token"},
    {"pnml/two-nets.pnml", TL_E_MODEL, 3, "the file holds more than one net"},
    {"pnml/undefined-entity.pnml", TL_E_SYNTAX, 4, "XML: undefined entity"},
    {"pnml/units-duplicate-unit.pnml", TL_E_SYNTAX, 9, "a second unit 'u'"},
    {"pnml/units-in-a-circle.pnml", TL_E_SYNTAX, 9, "hangs below itself"},
    {"pnml/units-list-transition.pnml", TL_E_SYNTAX, 7,
     "unit 'u' lists a transition"},
    {"pnml/units-number-not-a-number.pnml", TL_E_SYNTAX, 7,
     "the number of units 'x' is not a whole number"},
    {"pnml/units-root-below-other.pnml", TL_E_SYNTAX, 9,
     "unit 'u' is the root and hangs below another unit"},
    {"pnml/units-share-a-place.pnml", TL_E_SYNTAX, 9,
     "a place of unit 'v' is in a unit already"},
    {"pnml/units-two-parents.pnml", TL_E_SYNTAX, 9,
     "unit 'w' hangs below two units"},
    {"pnml/units-two-roots.pnml", TL_E_SYNTAX, 9,
     "unit 'v' hangs below no other and is not the root"},
    {"pnml/units-two-structures.pnml", TL_E_SYNTAX, 10,
     "a second structure of units"},
    {"pnml/units-unit-without-id.pnml", TL_E_SYNTAX, 8,
     "the id of a unit is empty"},
    {"pnml/units-unknown-place.pnml", TL_E_SYNTAX, 8,
     "unit 'u' lists unknown place 'x'"},
    {"pnml/units-unknown-root.pnml", TL_E_SYNTAX, 7,
     "there is no unit 'x' to be the root"},
    {"pnml/units-unknown-subunit.pnml", TL_E_SYNTAX, 8, "there is no unit 'v'"},
    {"pnml/units-without-root.pnml", TL_E_SYNTAX, 7, "the units have no root"},
    {"pnml/units-wrong-number.pnml", TL_E_SYNTAX, 7,
     "2 units are announced, 1 are there"},
    {"pnml/unknown-arc-type.pnml", TL_E_MODEL, 6,
     "arcs of type 'reset' are not known"},
    {"pnml/unknown-encoding.pnml", TL_E_SYNTAX, 1, "XML: unknown encoding"},
    {"pnml/unknown-net-type.pnml", TL_E_MODEL, 2,
     "nets of type 'urn:timed' are not known"},
    {"pnml/weight-astronomic.pnml", TL_E_SYNTAX, 7,
     "is larger than 4294967295"},
    {"pnml/weight-fraction.pnml", TL_E_SYNTAX, 7,
     "the arc weight '1.5' is not a whole number"},
    {"pnml/weight-negative.pnml", TL_E_SYNTAX, 7,
     "the arc weight '-3' is negative"},
    {"pnml/weight-not-a-number.pnml", TL_E_SYNTAX, 7,
     "the arc weight 'two' is not a whole number"},
    {"pnml/weight-too-large.pnml", TL_E_SYNTAX, 7,
     "the arc weight '4294967296' is larger than 4294967295"},
    {"pnml/weight-twice.pnml", TL_E_SYNTAX, 6, "a second arc weight"},
    {"pnml/weight-two-numbers.pnml", TL_E_SYNTAX, 7,
     "the arc weight '1 2' is not a whole number"},
    {"pnml/weight-zero.pnml", TL_E_SYNTAX, 7,
     "the arc weight '0' is not positive"},
    {"pnml/weights-add-up-too-high.pnml", TL_E_SYNTAX, 0,
     "arcs between 'p' and 't' add up to more than 4294967295"},
    {"pnml/zero-byte.pnml", TL_E_SYNTAX, 4, "XML: not well-formed"},
    {"tapaal/arc-between-places.tapn", TL_E_SYNTAX, 5,
     "this arc connects two nodes of a kind, at 'q'"},
    {"tapaal/arc-from-nowhere.tapn", TL_E_SYNTAX, 5,
     "this arc begins at unknown node 'q'"},
    {"tapaal/arc-to-other-component.tapn", TL_E_SYNTAX, 5,
     "this arc ends at unknown node 'u'"},
    {"tapaal/blank-name.tapn", TL_E_SYNTAX, 3,
     "the name of this node has a blank before or after it"},
    {"tapaal/arc-type.tapn", TL_E_MODEL, 5,
     "arcs of type 'stop' are not known"},
    {"tapaal/arc-without-source.tapn", TL_E_SYNTAX, 5,
     "this arc has no 'source'"},
    {"tapaal/coloured-arc.tapn", TL_E_MODEL, 6,
     "coloured nets of TAPAAL are not supported"},
    {"tapaal/coloured-feature.tapn", TL_E_MODEL, 5,
     "coloured nets of TAPAAL are not supported"},
    {"tapaal/coloured-guard.tapn", TL_E_MODEL, 5,
     "coloured nets of TAPAAL are not supported"},
    {"tapaal/coloured-place.tapn", TL_E_MODEL, 5,
     "coloured nets of TAPAAL are not supported"},
    {"tapaal/constant-negative.tapn", TL_E_SYNTAX, 2,
     "the value '-1' is negative"},
    {"tapaal/constant-twice.tapn", TL_E_SYNTAX, 3, "a second constant 'c'"},
    {"tapaal/constant-without-name.tapn", TL_E_SYNTAX, 2,
     "the name of this constant is not there"},
    {"tapaal/inhibitor-from-transition.tapn", TL_E_SYNTAX, 5,
     "this arc inhibits a place, 'p'"},
    {"tapaal/inscription-is-no-weight.tapn", TL_E_MODEL, 5,
     "the inscription '3' is not the weight of the arc"},
    {"tapaal/inscription-not-a-number.tapn", TL_E_SYNTAX, 5,
     "the inscription 'x' is not a whole number"},
    {"tapaal/interval-bounded.tapn", TL_E_MODEL, 5,
     "the arc has the interval [0,5]: time is not supported, only [0,inf) is"},
    {"tapaal/interval-from-constant.tapn", TL_E_MODEL, 6,
     "the arc has the interval [c,inf): time is not supported, only [0,inf) "
     "is"},
    {"tapaal/interval-later.tapn", TL_E_MODEL, 5,
     "the arc has the interval [2,inf):1: time is not supported, only [0,inf) "
     "is"},
    {"tapaal/interval-open.tapn", TL_E_MODEL, 5,
     "the arc has the interval (0,inf): time is not supported, only [0,inf) "
     "is"},
    {"tapaal/interval-unknown-constant.tapn", TL_E_MODEL, 5,
     "the arc has the interval [d,inf): time is not supported, only [0,inf) "
     "is"},
    {"tapaal/invariant-of-shared-place.tapn", TL_E_MODEL, 2,
     "the place has the invariant '< 5': time is not supported, only '< inf' "
     "is"},
    {"tapaal/invariant.tapn", TL_E_MODEL, 3,
     "the place has the invariant '<= 5': time is not supported, only '< inf' "
     "is"},
    {"tapaal/marking-not-a-number.tapn", TL_E_SYNTAX, 3,
     "the initial marking 'many' is not a whole number"},
    {"tapaal/marking-too-large.tapn", TL_E_SYNTAX, 3,
     "the initial marking '4294967296' is larger than 4294967295"},
    {"tapaal/net-twice.tapn", TL_E_SYNTAX, 5, "a second net 'N'"},
    {"tapaal/no-net.tapn", TL_E_SYNTAX, 1, "the document holds no net"},
    {"tapaal/node-twice.tapn", TL_E_SYNTAX, 4, "a second node 'p'"},
    {"tapaal/node-without-name.tapn", TL_E_SYNTAX, 4,
     "the name of this node is not there"},
    {"tapaal/page.tapn", TL_E_MODEL, 3,
     "the element <page> is not known in nets of TAPAAL"},
    {"tapaal/place-twice.tapn", TL_E_SYNTAX, 4, "a second place 'N.p'"},
    {"tapaal/shared-after-net.tapn", TL_E_SYNTAX, 5,
     "shared nodes stand before the first net"},
    {"tapaal/shared-twice.tapn", TL_E_SYNTAX, 3,
     "a second shared transition 's'"},
    {"tapaal/stochastic.tapn", TL_E_MODEL, 5,
     "stochastic nets of TAPAAL are not supported"},
    {"tapaal/text-as-standard.tapn", TL_E_MODEL, 5,
     "the element <initialMarking> is not known in nets of TAPAAL"},
    {"tapaal/weight-too-large.tapn", TL_E_SYNTAX, 5,
     "the arc weight '4294967296' is larger than 4294967295"},
    {"tapaal/weight-zero.tapn", TL_E_SYNTAX, 6,
     "the arc weight 'c' is not positive"},
    {"tina/bad-escape.net", TL_E_SYNTAX, 1, "'\\' before something else"},
    {"tina/brace-in-name.net", TL_E_SYNTAX, 1, "'{' in a name needs a '\\'"},
    {"tina/continued-without-backslash.net", TL_E_SYNTAX, 2,
     "expected net, tr, pl, lb, nt or pr, not 'r'"},
    {"tina/control-character.net", TL_E_SYNTAX, 1, "a control character (2)"},
    {"tina/empty-name.net", TL_E_SYNTAX, 1, "the name '' is empty"},
    {"tina/inhibitor-arc-from-transition.net", TL_E_SYNTAX, 1,
     "read and inhibitor arcs lead from places to transitions"},
    {"tina/inhibitor-zero.net", TL_E_SYNTAX, 1,
     "the number '0' is not positive"},
    {"tina/interval-without-comma.net", TL_E_SYNTAX, 1, "expected ',', not w"},
    {"tina/interval-without-end.net", TL_E_SYNTAX, 1,
     "expected '[' or ']', not p"},
    {"tina/keyword-as-name.net", TL_E_SYNTAX, 2,
     "expected the name of a place, not the keyword tr (the name is {tr})"},
    {"tina/label-missing.net", TL_E_SYNTAX, 1, "expected a label, not '('"},
    {"tina/label-of-nothing.net", TL_E_SYNTAX, 1,
     "neither a place nor a transition 'p' was declared before"},
    {"tina/line-end-in-name.net", TL_E_SYNTAX, 1,
     "contains a control character"},
    {"tina/marking-not-a-number.net", TL_E_SYNTAX, 1,
     "the number 'K' is not a whole number"},
    {"tina/marking-without-parenthesis.net", TL_E_SYNTAX, 2,
     "expected ')', not the end of the file"},
    {"tina/markings-add-up-too-high.net", TL_E_SYNTAX, 2,
     "a place with more than 4294967295 tokens"},
    {"tina/name-after-net.net", TL_E_SYNTAX, 1,
     "expected net, tr, pl, lb, nt or pr, not b"},
    {"tina/name-without-brace.net", TL_E_SYNTAX, 1,
     "this name has no closing brace"},
    {"tina/no-arrow.net", TL_E_SYNTAX, 2, "expected '->', not the keyword pl"},
    {"tina/note-without-text.net", TL_E_SYNTAX, 1,
     "expected a note, not the end of the file"},
    {"tina/place-without-name.net", TL_E_SYNTAX, 1,
     "expected the name of a place, not the end of the file"},
    {"tina/priority.net", TL_E_MODEL, 3, "priorities are not supported"},
    {"tina/read-arc-to-place.net", TL_E_SYNTAX, 1,
     "read and inhibitor arcs lead from places to transitions"},
    {"tina/read-without-weight.net", TL_E_SYNTAX, 1,
     "expected a number, not '->'"},
    {"tina/stopwatch-arc.net", TL_E_MODEL, 1,
     "stopwatch arcs are not supported"},
    {"tina/stray-backslash.net", TL_E_SYNTAX, 1, "'\\' is out of place"},
    {"tina/stray-character.net", TL_E_SYNTAX, 1,
     "'.' is out of place; names with other characters"},
    {"tina/time-bounded.net", TL_E_MODEL, 1, "time is not supported"},
    {"tina/time-open.net", TL_E_MODEL, 1, "time is not supported"},
    {"tina/time.net", TL_E_MODEL, 2, "time is not supported"},
    {"tina/transition-without-name.net", TL_E_SYNTAX, 2,
     "expected the name of a transition, not '->'"},
    {"tina/two-arrows.net", TL_E_SYNTAX, 2, "a second '->'"},
    {"tina/unknown-keyword.net", TL_E_SYNTAX, 2,
     "expected net, tr, pl, lb, nt or pr, not 'transition'"},
    {"tina/weight-missing.net", TL_E_SYNTAX, 1, "expected a number, not '->'"},
    {"tina/weight-negative.net", TL_E_SYNTAX, 1,
     "expected a number that is not negative, not '-'"},
    {"tina/weight-not-a-number.net", TL_E_SYNTAX, 1,
     "the number 'x' is not a whole number"},
    {"tina/weight-too-large.net", TL_E_SYNTAX, 2,
     "the number '5000M' is larger than 4294967295"},
    {"tina/weight-zero.net", TL_E_SYNTAX, 1, "the number '0' is not positive"},
};

#define ROWS (sizeof rows / sizeof *rows)

static void test_files (void **state) {
  (void)state;
  for (const bad *row = rows; row < rows + ROWS; row++) {
    char path[256];
    snprintf (path, sizeof path, FOLDER "%s", row->file);
    tl_mem mem = TL_MEM (0, "net");
    tl_error err = {0};
    tl_net *net;
    const tl_status status = tl_read_net (&net, &mem, path, 0, &err);
    if (status != row->code || err.code != row->code || err.line != row->line ||
        strcmp (err.file, path) || !strstr (err.text, row->words))
      fail_msg ("%s: %s, %s:%ld:%ld: %s", path, tl_status_text (status),
                err.file, err.line, err.column, err.text);
    assert_null (net);
    assert_int_equal (mem.used, 0);
  }
}

static void test_every_file_has_a_row (void **state) {
  (void)state;
  static const char *const kinds[] = {FOLDER "pnml/*", FOLDER "lola/*",
                                      FOLDER "tina/*", FOLDER "tapaal/*",
                                      FOLDER "greatspn/*"};
  size_t files = 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    glob_t found;
    assert_int_equal (glob (kinds[i], 0, 0, &found), 0);
    files += found.gl_pathc;
    globfree (&found);
  }
  assert_int_equal (files, ROWS);
}

// ---- What would be too large to keep as files

// A text of `count` copies between two others, to be freed.
static char *repeat (const char *before, const char *what, size_t count,
                     const char *after) {
  const size_t n = strlen (what);
  char *text = malloc (strlen (before) + n * count + strlen (after) + 1);
  char *at = stpcpy (text, before);
  for (size_t i = 0; i < count; i++, at += n)
    memcpy (at, what, n);
  strcpy (at, after);
  return text;
}

// The text, which is freed, is refused on `line` and in `most` bytes.
static void refused (char *text, const char *path, long line, size_t most,
                     const char *words) {
  tl_mem mem = TL_MEM (0, "net");
  tl_error err = {0};
  tl_net *net;
  mem.limit = most;
  const tl_status status =
      tl_read_net_text (&net, &mem, path, text, strlen (text), &err);
  if (status != TL_E_SYNTAX || err.line != line || !strstr (err.text, words))
    fail_msg ("%s, %ld: %s", tl_status_text (status), err.line, err.text);
  assert_int_equal (mem.used, 0);
  free (text);
}

#define SOME ((size_t)1 << 20)

static void test_deep_nesting (void **state) {
  (void)state;
  refused (repeat ("<pnml><net>", "<page id='p'>\n", 10000, ""), "x", 999, SOME,
           "elements are nested more than 1000 deep");
  refused (repeat ("<pnml><net><x>", "<x>\n", 10000, ""), "x", 998, SOME,
           "elements are nested more than 1000 deep");
}

static void test_long_words (void **state) {
  (void)state;
  refused (repeat ("<pnml><net><place id='", "x", 70000, "'/></net></pnml>"),
           "x", 1, SOME, "the 'id' of this place is longer than 65536 bytes");
  refused (repeat ("<pnml><net><place id='p'><name><text>", "x", 3 << 20,
                   "</text></name></place></net></pnml>"),
           "x", 1, 8 * SOME, "a text is longer than 2097152 bytes");
  refused (repeat ("PLACE a;\nMARKING ", "x", 70000, ";"), "x", 2, SOME,
           "a word is longer than 65536 bytes");
  refused (repeat ("net n\npl {", "x", 70000, "}"), "x", 2, SOME,
           "a word is longer than 65536 bytes");
  // Each byte of ISO-8859-1 becomes two.
  refused (repeat ("PLACE ", "\xea", 40000, ";\nMARKING;"), "x", 1, SOME,
           "is longer than 65536 bytes");
}

static void test_long_tags (void **state) {
  (void)state;
  refused (repeat ("<pnml><net><place id='", "x", 8 << 20, ""), "x", 1, SOME,
           "a tag or comment is longer than 1048576 bytes");
  refused (repeat ("<pnml><!--", "x", 8 << 20, "-->"), "x", 1, SOME,
           "a tag or comment is longer than 1048576 bytes");
  refused (repeat ("<!DOCTYPE pnml [\n", "<!ELEMENT a ANY>", 1 << 16, "]>"),
           "x", 2, SOME, "the document type is longer than 65536 bytes");
}

// Long, but nothing that has to be remembered
static void test_long_and_fine (void **state) {
  (void)state;
  char *const texts[] = {
      repeat ("<pnml>", " ", 4 << 20, "<net/></pnml>"),
      repeat ("<pnml><net><x>", "y", 4 << 20, "</x></net></pnml>"),
      repeat ("{", "x", 4 << 20, "}PLACE; MARKING;"),
      repeat ("net n #", "x", 4 << 20, "")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    tl_mem mem = TL_MEM (0, "net");
    tl_net *net;
    mem.limit = SOME;
    assert_int_equal (
        tl_read_net_text (&net, &mem, "x.lola", texts[i], strlen (texts[i]), 0),
        TL_OK);
    tl_net_close (net);
    free (texts[i]);
  }
}

// Time grows with the length of the input, not faster.
static void test_long_chain (void **state) {
  (void)state;
  enum { LENGTH = 100000 };
  char *text = malloc (LENGTH * 128 + 256);
  char *at = stpcpy (text, "<pnml><net><place id='r0'/><transition id='t'/>");
  for (int i = LENGTH; i > 0; i--)
    at += sprintf (at,
                   "<arc source='r%d' target='t'/>"
                   "<referencePlace id='r%d' ref='r%d'/>",
                   i, i, i - 1);
  strcpy (at, "</net></pnml>");
  tl_mem mem = TL_MEM (0, "net");
  tl_net *net;
  assert_int_equal (tl_read_net_text (&net, &mem, "x", text, strlen (text), 0),
                    TL_OK);
  assert_int_equal (net->pre_arc[0].weight, LENGTH);
  tl_net_close (net);
  free (text);
}

int main (void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test (test_files),
      cmocka_unit_test (test_every_file_has_a_row),
      cmocka_unit_test (test_deep_nesting),
      cmocka_unit_test (test_long_words),
      cmocka_unit_test (test_long_tags),
      cmocka_unit_test (test_long_and_fine),
      cmocka_unit_test (test_long_chain)};
  return cmocka_run_group_tests_name ("bad nets", tests, 0, 0);
}
