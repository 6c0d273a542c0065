/** The assignment of a run, in Redis. */
export const assignmentKey = (id: string): string => `sceneshift:assignment:${id}`;

/** Workers that cannot do an assignment, each with its reason, until they can or are gone. */
export const troubleKey = (id: string): string => `sceneshift:trouble:${id}`;
