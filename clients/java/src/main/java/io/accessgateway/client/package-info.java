/**
 * A client of the REST API of the Access Gateway.
 *
 * <p>{@link io.accessgateway.client.Gateway} makes the classes of {@code io.accessgateway.client.api}, which have a
 * method for each operation, named by its operationId. Bodies and answers are in {@code io.accessgateway.client.model}.
 */
package io.accessgateway.client;
