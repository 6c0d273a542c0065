/** The assignment of a run, in Redis. */
export const assignmentKey = (id: string): string => `sceneshift:assignment:${id}`;

/** Workers that cannot do an assignment, each with its reason, until they can or are gone. */
export const troubleKey = (id: string): string => `sceneshift:trouble:${id}`;

/** The lanes that have chunks, each with the time when it first had some. */
export const lanesKey = 'sceneshift:lanes';

/** Names of all chunks that coordinators wait for, of all lanes: as many as there are is what an autoscaler counts. */
export const openKey = 'sceneshift:open';
