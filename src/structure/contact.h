#ifndef TL_STRUCTURE_CONTACT_H
#define TL_STRUCTURE_CONTACT_H

#include "net/net.h"

// What transitions have to do with places, place by place: how many tokens they
// take and put there, and from how many on they are inhibited.

#define TL_NO_INHIBITOR UINT64_MAX

typedef struct tl_contact {
  uint32_t transition, pre, post;
  uint64_t inhibitor;
} tl_contact;

typedef struct tl_contacts {
  tl_mem *mem;
  uint32_t places;
  uint64_t *start; // [places + 1]
  tl_contact *contact;
  size_t count;
} tl_contacts;

// TL_E_NOMEM; then, too, it may be closed.
tl_status tl_contacts_open (tl_contacts *, tl_mem *, const tl_net *);
void tl_contacts_close (tl_contacts *);

#endif
