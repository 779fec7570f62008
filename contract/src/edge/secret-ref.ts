/** How an artefact names a secret. In a file of its own because rules name secrets, too. */
import { z } from 'zod'

/** `originCredential@3`: a secret by name and version. Its value is sent separately, sealed to the node. */
export const SecretRef = z.string().regex(/^[a-z][A-Za-z0-9-]{0,63}@[1-9]\d{0,8}$/)
