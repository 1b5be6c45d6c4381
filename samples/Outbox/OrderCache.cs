using Raven.Client.Documents;
using Raven.Client.Documents.Subscriptions;

namespace Raven.Samples.Outbox;

/// <summary>
/// Orders in memory that are never older than the call that asks for them: before it answers, the cache reads what has
/// changed since, one small request if nothing has. One caller at a time.
/// </summary>
internal sealed class OrderCache(DocumentStore store)
{
    private readonly Dictionary<string, Order> _orders = new(StringComparer.OrdinalIgnoreCase);
    private string? _token;

    internal async Task<Order?> GetAsync(string id)
    {
        FeedOptions behind = new() { Since = _token, Deletions = true, EndsWhenEmpty = true };
        await foreach (FeedChange<Order> change in store.Subscriptions.Feed<Order>(behind))
        {
            if (change.Document is { } order)
            {
                _orders[change.Id] = order;
            }
            else
            {
                _orders.Remove(change.Id);
            }

            _token = change.Token;
        }

        return _orders.GetValueOrDefault(id);
    }
}
