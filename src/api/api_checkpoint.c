// What a run was asked for, beside its checkpoints.

#include "api/api_call.h"
#include "base/error.h"
#include "checkpoint/request.h"

tl_status tl_request_save (const char *folder, const tl_request_word *word,
                           size_t count, tl_error *error) {
  tl_folder f;
  if (!folder || !word)
    return tl_api_lacks ("tl_request_save", "a folder and words", error);
  tl_status rc = tl_folder_open (&f, folder, error);
  if (rc)
    return rc;
  rc = tl_folder_has (&f)
           ? tl_fail_at (error, TL_E_ARG, folder, 0, 0,
                         "there is a checkpoint: go on with 'tideline resume', "
                         "or remove the folder")
           : tl_folder_keep_request (&f, word, count, error);
  tl_folder_close (&f);
  return rc;
}

tl_status tl_request_open (tl_request **request, const char *folder,
                           tl_error *error) {
  return request && folder
             ? tl_folder_request (request, folder, error)
             : tl_api_lacks ("tl_request_open", "a folder", error);
}

tl_status tl_request_finish (const char *folder, int code, tl_error *error) {
  tl_folder f;
  if (!folder)
    return tl_api_lacks ("tl_request_finish", "a folder", error);
  tl_status rc = tl_folder_open (&f, folder, error);
  if (rc)
    return rc;
  if (!(rc = tl_folder_end_request (&f, code, error)))
    tl_folder_clear (&f);
  tl_folder_close (&f);
  return rc;
}
