/** The version that the API description declares (specification, section 9). */
export const API_VERSION = '1.180.0';
