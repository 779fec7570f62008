/** The server names the invalid item of a list; a checkbox field shows the reason for the field as a whole. */
export const wholeLists = (field: string): string => field.replace(/^(permissions|roleIDs|siteIDs)\.\d+$/, '$1')
