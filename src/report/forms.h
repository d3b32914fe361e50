#ifndef TL_REPORT_FORMS_H
#define TL_REPORT_FORMS_H

#include "tideline.h"

// The forms of a report that are not text for people.  Each gives a text for
// tl_text_close, or null when there is no memory.

char *tl_unread_json (const char *path, const tl_error *, const char *stopped);
char *tl_exploration_json (const tl_net *, const tl_exploration *, tl_form);
char *tl_answers_json (const tl_net *, const tl_answers *, tl_form);
char *tl_info_json (const tl_net *, const tl_info *);
char *tl_condensed_json (const tl_net *, const tl_condensed_size *,
                         const tl_exploration *built);
char *tl_verification_json (const tl_verification *);
char *tl_state_json (const tl_condensed *, uint64_t state, tl_form);
char *tl_game_json (const tl_net *, tl_game *, tl_form);
char *tl_candidates_json (const tl_net *, const tl_candidates *);

// The contest's lines.  What is not known is CANNOT_COMPUTE there.
char *tl_exploration_contest (const tl_net *, const tl_exploration *);
char *tl_answers_contest (const tl_answers *);

#endif
