export {
  type DocumentHost,
  hostIdentity,
  type SeenRequest,
  startDocumentHost,
} from '#libs/oauth/testing';
