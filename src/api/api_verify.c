// Checking a certificate, and whether it is about a net.

#include "api/api_call.h"
#include "base/error.h"
#include "base/sized.h"
#include "net/net.h"
#include "verify/verify.h"

#include <string.h>

static tl_status differs (tl_error *err, const char *what, const char *id) {
  return tl_fail (err, TL_E_MODEL,
                  "it is about another net: %s%s%s is not the same", what,
                  id ? " " : "", id ? id : "");
}

static bool same_arcs (tl_arcs arcs, const tl_cert_arc *arc, uint32_t count) {
  if (arcs.count != count)
    return false;
  for (uint32_t i = 0; i < count; i++)
    if (arcs.arc[i].place != arc[i].place ||
        arcs.arc[i].weight != arc[i].weight)
      return false;
  return true;
}

static tl_status compare_net (const void *context, const tl_cert_net *cert,
                              tl_error *err) {
  const tl_net *net = context;
  if (net->places != cert->places)
    return differs (err, "the number of places", 0);
  if (net->transitions != cert->transitions)
    return differs (err, "the number of transitions", 0);
  for (uint32_t p = 0; p < net->places; p++)
    if (strcmp (net->place_id[p], cert->place_id[p]) ||
        net->initial[p] != cert->initial[p])
      return differs (err, "place", net->place_id[p]);
  for (uint32_t t = 0; t < net->transitions; t++) {
    const tl_cert_transition *c = cert->transition + t;
    if (strcmp (net->transition_id[t], c->id) ||
        !same_arcs (tl_net_pre (net, t), c->pre, c->pres) ||
        !same_arcs (tl_net_post (net, t), c->post, c->posts) ||
        !same_arcs (tl_net_inhibitors (net, t), c->inhibitor, c->inhibitors))
      return differs (err, "transition", net->transition_id[t]);
  }
  return TL_OK;
}

tl_status tl_verify_sized (const char *path, const tl_net *net,
                           const tl_options *options, tl_verification *result,
                           tl_error *error) {
  tl_api_call call;
  tl_verification whole;
  tl_status rc = tl_api_open (&call, options, result, error);
  if (!rc && !path)
    rc = tl_api_lacks ("tl_verify", "a path", error);
  if (!rc && net)
    rc = tl_net_want_arcs (net, "comparing it with a certificate", error);
  if (rc)
    return rc;
  const tl_verify_net about = {net, compare_net};
  rc = tl_verify_on (&call.root, path, net ? &about : 0, &whole, error);
  if (rc)
    return rc;
  TL_GIVE (result, &whole);
  tl_verification_close (&whole);
  return TL_OK;
}
