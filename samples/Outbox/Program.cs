using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions.Documents.Subscriptions;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace Raven.Samples.Outbox;

/// <summary>
/// Messages to another system that are neither lost nor sent for what was not stored: each is stored in the transaction
/// of its order, and a subscription sends it. And a cache that is never stale. Without an argument it starts a server
/// of its own, in memory; with one, it talks to the server of that url.
/// </summary>
internal static class Program
{
    private static async Task Main(string[] arguments)
    {
        using ServerHost? own = arguments.Length > 0 ? null : EmbeddedServer.StartInMemory();
        using var store = new DocumentStore { Urls = [own?.Url ?? arguments[0]], Database = "outbox" };
        store.Initialize();
        if (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("outbox")) is null)
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("outbox")));
            await store.Subscriptions.CreateAsync<Message>(new SubscriptionCreationOptions { Name = "outbox" });
        }

        var cache = new OrderCache(store);
        await OrderAsync(store, "orders/1", "Ada", 120);
        await OrderAsync(store, "orders/2", "Bob", 70);
        Console.WriteLine($"In the cache: {(await cache.GetAsync("orders/1"))?.Total}.");
        await OrderAsync(store, "orders/1", "Ada", 130);
        Console.WriteLine($"In the cache: {(await cache.GetAsync("orders/1"))?.Total}.");
        await SendAsync(store, new Receiver());
    }

    /// <summary>The order and its message are in together, or neither is.</summary>
    private static async Task OrderAsync(DocumentStore store, string id, string customer, decimal total)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Order { Customer = customer, Total = total }, id);
        await session.StoreAsync(new Message { Text = $"{customer} owes {total}" });
        await session.SaveChangesAsync();
    }

    /// <summary>Sends what is in the outbox. A program that stays leaves out <c>CloseWhenNoDocsLeft</c>.</summary>
    private static async Task SendAsync(DocumentStore store, Receiver receiver)
    {
        await using SubscriptionWorker<Message> worker = store.Subscriptions.GetSubscriptionWorker<Message>(
            new SubscriptionWorkerOptions("outbox") { CloseWhenNoDocsLeft = true });
        try
        {
            await worker.Run(batch =>
            {
                foreach (SubscriptionItem<Message> item in batch.Items)
                {
                    receiver.Receive(item.Id, item.Result.Text);
                }
            });
        }
        catch (SubscriptionClosedException)
        {
            Console.WriteLine("The outbox is empty.");
        }
    }
}
