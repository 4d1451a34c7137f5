package io.accessgateway.client;

import io.accessgateway.client.model.PageInfo;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * Lists, page by page.
 *
 * <pre>{@code
 * for (ConnectionView it : Pages.all(
 *     page -> connections.listConnections(APIListConnectionsRequest.newBuilder().page(page).build()),
 *     ConnectionPage::getData, ConnectionPage::getPages, ConnectionView::getId)) ...
 * }</pre>
 *
 * A list that changes meanwhile is no fault: items come once, and those that stay in the list are not skipped. For that,
 * pages that others moved up are read again.
 */
public final class Pages {
  private Pages() {}

  /**
   * @param read reads the page with that number, from 1
   * @param key what identifies an item
   */
  public static <P, T> Iterable<T> all(
      IntFunction<P> read, Function<P, List<T>> items, Function<P, PageInfo> info, Function<T, ?> key) {
    return () -> new Walk<>(read, items, info, key);
  }

  private static final class Walk<P, T> implements Iterator<T> {
    private final IntFunction<P> read;
    private final Function<P, List<T>> items;
    private final Function<P, PageInfo> info;
    private final Function<T, ?> key;
    private final Deque<T> ready = new ArrayDeque<>();
    private final Set<Object> seen = new HashSet<>();
    /** The page to read next; 0: none. */
    private int page = 1;
    private long total;

    Walk(IntFunction<P> read, Function<P, List<T>> items, Function<P, PageInfo> info, Function<T, ?> key) {
      this.read = read;
      this.items = items;
      this.info = info;
      this.key = key;
    }

    @Override
    public boolean hasNext() {
      while (ready.isEmpty() && page > 0) take(read.apply(page));
      return !ready.isEmpty();
    }

    @Override
    public T next() {
      if (!hasNext()) throw new NoSuchElementException();
      return ready.remove();
    }

    private void take(P answer) {
      PageInfo pages = info.apply(answer);
      long gone = total - pages.getTotal();
      total = pages.getTotal();
      if (gone > 0 && pages.getSize() > 0) {
        // What follows moved up by as many places at most, into pages that were read before.
        page = (int) Math.max(1, page - (gone + pages.getSize() - 1) / pages.getSize());
        return;
      }
      page = page * pages.getSize() < total ? page + 1 : 0;
      for (T item : items.apply(answer)) if (seen.add(key.apply(item))) ready.add(item);
    }
  }
}
