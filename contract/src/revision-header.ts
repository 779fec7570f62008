/**
 * The header of an answer that names the revision of the site which the call made: what somebody else saved meanwhile has
 * another number. Absent where the call published nothing, and where it was of several sites.
 */
export const revisionHeader = 'x-site-revision'
