using System.Globalization;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace Raven.Samples.Outbox;

/// <summary>
/// Messages to another system that are neither lost nor sent for what was not stored: each is stored in the transaction
/// of its order, and a subscription sends it. And a cache that is never stale. Without an argument it starts a server
/// of its own, in memory; with one, it talks to the server of that url. With more it is one of three programs that go
/// on whatever fails around them: <c>URL orders FIRST LAST</c> stores orders, <c>URL send RECEIVER</c> sends their
/// messages, and <c>receive URL FILE</c> is the other system, which keeps them in a file.
/// </summary>
internal static class Program
{
    private static readonly TimeSpan RetryAfter = TimeSpan.FromMilliseconds(100);

    private static async Task Main(string[] arguments)
    {
        if (arguments is ["receive", var own, var file])
        {
            await ReceiverServer.RunAsync(new Uri(own), file);
        }
        else if (arguments is [var server, "orders", var first, var last])
        {
            using DocumentStore store = await OpenAsync(server);
            await StoreOrdersAsync(
                store, int.Parse(first, CultureInfo.InvariantCulture), int.Parse(last, CultureInfo.InvariantCulture));
        }
        else if (arguments is [var url, "send", var receiver])
        {
            using DocumentStore store = await OpenAsync(url);
            await Sender.RunAsync(store, new Uri(receiver));
        }
        else
        {
            await ShowAsync(arguments);
        }
    }

    private static async Task ShowAsync(string[] arguments)
    {
        using ServerHost? own = arguments.Length > 0 ? null : EmbeddedServer.StartInMemory();
        using DocumentStore store = await OpenAsync(own?.Url ?? arguments[0]);
        var cache = new OrderCache(store);
        await OrderAsync(store, "orders/1", "Ada", 120);
        await OrderAsync(store, "orders/2", "Bob", 70);
        Console.WriteLine($"In the cache: {(await cache.GetAsync("orders/1"))?.Total}.");
        await OrderAsync(store, "orders/1", "Ada", 130);
        Console.WriteLine($"In the cache: {(await cache.GetAsync("orders/1"))?.Total}.");
        await Sender.SendAllAsync(store, new Receiver(Console.Out));
        Console.WriteLine("The outbox is empty.");
    }

    /// <summary>Opens the database, which is made with its subscription if it is not there.</summary>
    private static async Task<DocumentStore> OpenAsync(string url)
    {
        var store = new DocumentStore { Urls = [url], Database = "outbox" };
        store.Initialize();
        while (true)
        {
            try
            {
                if (await store.Maintenance.Server.SendAsync(new GetDatabaseRecordOperation("outbox")) is null)
                {
                    await store.Maintenance.Server.SendAsync(
                        new CreateDatabaseOperation(new DatabaseRecord("outbox")));
                }

                if ((await store.Subscriptions.GetSubscriptionsAsync(0, 1)).Count == 0)
                {
                    await store.Subscriptions.CreateAsync<Message>(
                        new SubscriptionCreationOptions { Name = Sender.Subscription });
                }

                return store;
            }
            catch (RavenException)
            {
                // The server is not there, or another program makes the same.
                await Task.Delay(RetryAfter);
            }
        }
    }

    /// <summary>Stores orders one after the other, each until it is known to be stored.</summary>
    private static async Task StoreOrdersAsync(DocumentStore store, int first, int last)
    {
        for (int number = first; number <= last; number++)
        {
            while (true)
            {
                try
                {
                    await OrderAsync(store, $"orders/{number}", $"customer {number}", number);
                    break;
                }
                catch (RavenException)
                {
                    await Task.Delay(RetryAfter);
                }
            }
        }
    }

    /// <summary>The order and its message are in together, or neither is: so an order that is there as it should be, as
    /// after an answer that was lost, has its message too.</summary>
    private static async Task OrderAsync(DocumentStore store, string id, string customer, decimal total)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        Order? order = await session.LoadAsync<Order>(id);
        if (order is not null && order.Customer == customer && order.Total == total)
        {
            return;
        }

        if (order is null)
        {
            await session.StoreAsync(order = new Order(), id);
        }

        order.Customer = customer;
        order.Total = total;
        await session.StoreAsync(new Message { Text = $"{customer} owes {total}" });
        await session.SaveChangesAsync();
    }
}
