package io.accessgateway.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.accessgateway.client.EventStream.Message;
import io.accessgateway.client.Started.Failing;
import io.accessgateway.client.api.ConnectionsApi;
import io.accessgateway.client.api.ConnectionsApi.APIListConnectionsRequest;
import io.accessgateway.client.api.SessionsApi;
import io.accessgateway.client.api.SessionsApi.APIListSessionsRequest;
import io.accessgateway.client.invoker.ApiException;
import io.accessgateway.client.model.ConnectionPage;
import io.accessgateway.client.model.ConnectionView;
import io.accessgateway.client.model.ExecView;
import io.accessgateway.client.model.SessionView;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.InputStream;
import java.io.StringReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Lists that change, streams that are cut, and files. */
class ReadingTest {
  private static final UUID UNKNOWN = UUID.fromString("00000000-0000-4000-8000-000000000000");

  @Test
  void aListThatChanges() throws Exception {
    ConnectionsApi connections = Started.gateway().api(ConnectionsApi::new);
    List<String> names = new ArrayList<>();
    for (int number = 0; number < 7; number++) {
      names.add("java-page-" + number);
      connections.createConnection(Started.connection("java-page-" + number));
    }
    Collections.reverse(names);
    assertEquals(names, readAll(connections, 0, () -> {}));
    var added = Started.connection("java-page-new");
    // New ones shift the pages: nothing comes twice.
    assertEquals(names, readAll(connections, 2, () -> connections.createConnection(added)));
    // Those that go move others up: none of the rest is skipped.
    List<String> grown = new ArrayList<>(List.of("java-page-new"));
    grown.addAll(names);
    assertEquals(grown, readAll(connections, 4, () -> Started.delete("java-page-new", names.get(0), names.get(1))));
    Started.delete(names.subList(2, 7).toArray(String[]::new));
  }

  private static List<String> readAll(ConnectionsApi connections, int at, Runnable meanwhile) {
    List<String> all = new ArrayList<>();
    Iterable<ConnectionView> found = Pages.all(
        page -> connections.listConnections(
            APIListConnectionsRequest.newBuilder().search("java-page-").pageSize(2).page(page).build()),
        ConnectionPage::getData, ConnectionPage::getPages, ConnectionView::getId);
    for (ConnectionView connection : found) {
      all.add(connection.getName());
      if (all.size() == at) meanwhile.run();
    }
    return all;
  }

  @Test
  void sessionsBeyondTheLargestOffset() {
    Gateway gateway = Started.gateway();
    Consumer<APIListSessionsRequest.Builder> many = filters -> filters.correlationId("many");
    int want = Integer.parseInt(Started.variable("GATEWAY_SESSIONS"));
    // The gateway's own limit is 10 000; there, as here, the list goes on by time.
    for (Iterable<SessionView> sessions : List.of(
        gateway.allSessions(many), SessionWalk.over(gateway.api(SessionsApi::new), many, 10, 30))) {
      Set<UUID> seen = new HashSet<>();
      SessionView newer = null;
      for (SessionView session : sessions) {
        assertTrue(seen.add(session.getId()), "came twice");
        assertTrue(newer == null || !session.getStartDate().isAfter(newer.getStartDate()), "came late");
        newer = session;
      }
      assertEquals(want, seen.size());
    }
  }

  private static List<String> read(EventStream stream) {
    List<String> all = new ArrayList<>();
    for (Optional<Event> event = stream.next(); event.isPresent(); event = stream.next()) all.add(text(event.get()));
    return all;
  }

  private static String text(Event event) {
    return event.time() + " " + event.type() + " " + new String(event.content(), StandardCharsets.UTF_8);
  }

  @Test
  void aStreamHasEachEventOnce() throws Exception {
    Gateway gateway = Started.gateway();
    UUID id = Started.run(gateway, "SELECT 1 AS one; SELECT 2 AS two; SELECT 3 AS three").getSessionId();
    List<String> events = gateway.recording(id).stream().map(ReadingTest::text).toList();
    assertTrue(events.get(0).endsWith("i SELECT 1 AS one; SELECT 2 AS two; SELECT 3 AS three"), events.get(0));
    EventStream stream = gateway.follow(id, null);
    assertEquals(events, read(stream));
    assertEquals(0, stream.end().orElseThrow().exitCode());
    assertEquals(List.of(), read(gateway.follow(id, stream.lastEventId())));
    try (EventStream begun = gateway.follow(id, null)) {
      assertTrue(begun.next().isPresent());
      assertEquals(events.subList(1, events.size()), read(gateway.follow(id, begun.lastEventId())));
    }
    // Each answer is cut within its second message.
    Failing cut = Failing.of("/cut/1");
    assertEquals(events, read(Started.at(cut.address()).build().follow(id, null)));
    assertTrue(cut.count() > 1);
    Failing dead = Failing.of("/cut/0");
    assertThrows(ApiException.class, () -> read(Started.at(dead.address()).build().follow(id, null)));
    assertEquals(4, dead.count());
    assertEquals(404, assertThrows(ApiException.class, () -> gateway.follow(UNKNOWN, null).next()).getCode());
  }

  @Test
  void aLiveSessionIsFollowedToItsEnd() throws Exception {
    Gateway gateway = Started.gateway();
    CompletableFuture<ExecView> over = CompletableFuture.supplyAsync(
        () -> Started.run(gateway, "SELECT 'begun'; SELECT pg_sleep(1); SELECT repeat('x', 300000) AS large"));
    SessionView session = null;
    while (session == null) {
      Iterator<SessionView> open = gateway.allSessions(
          filters -> filters.status("open").connection("orders")).iterator();
      if (open.hasNext()) session = open.next();
    }
    EventStream stream = Started.at(Failing.of("/cut/1").address()).build().follow(session.getId(), null);
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    for (Optional<Event> event = stream.next(); event.isPresent(); event = stream.next()) {
      if (event.get().type().equals("o")) output.write(event.get().content());
    }
    assertEquals(over.get().getSessionId(), session.getId());
    assertEquals(over.get().getOutput(), output.toString(StandardCharsets.UTF_8));
    assertEquals("done", stream.end().orElseThrow().status());
  }

  @Test
  void aFile() throws Exception {
    Gateway gateway = Started.gateway();
    UUID id = Started.run(gateway, "SELECT 1 AS one").getSessionId();
    HttpResponse<InputStream> file = gateway.download(id, "txt");
    try (InputStream body = file.body()) {
      assertEquals("one\n1\n", new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
    assertTrue(file.headers().firstValue("content-disposition").orElse("").contains(id.toString()));
    assertEquals(404, assertThrows(ApiException.class, () -> gateway.download(UNKNOWN, "csv")).getCode());
  }

  @Test
  void messagesThatAreOddOrCut() throws Exception {
    BufferedReader lines = new BufferedReader(new StringReader(
        ": a comment\r\nid: 1.0\ndata: [1,\r\ndata: 2]\n\nevent: other\n\nid:1.1\nevent:end\ndata:{}\n\nid: 1.2\ndata: cut"));
    assertEquals(new Message("1.0", "message", "[1,\n2]"), EventStream.readMessage(lines));
    assertEquals(new Message("1.1", "end", "{}"), EventStream.readMessage(lines));
    assertThrows(EOFException.class, () -> EventStream.readMessage(lines));
    for (Object faulty : Arrays.asList(List.of(1, "i"), "x", List.of("x", "i", ""), List.of(1, "i", "no base64"), null)) {
      assertThrows(IllegalStateException.class, () -> Event.of(faulty));
    }
  }
}
