using System.Net.Http.Headers;
using Raven.Client.Documents;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.Subscriptions;

namespace Raven.Samples.Outbox;

/// <summary>Sends the messages of the outbox: each at least once, and until the other system has it.</summary>
internal static class Sender
{
    internal const string Subscription = "outbox";

    /// <summary>The header that says which message it is: what came before comes with the same one.</summary>
    internal const string Key = "Idempotency-Key";

    private static readonly TimeSpan RetryAfter = TimeSpan.FromMilliseconds(100);

    /// <summary>Sends what there is, and ends.</summary>
    internal static async Task SendAllAsync(DocumentStore store, Receiver receiver)
    {
        await using SubscriptionWorker<Message> worker = store.Subscriptions.GetSubscriptionWorker<Message>(
            new SubscriptionWorkerOptions(Subscription) { CloseWhenNoDocsLeft = true });
        await foreach (SubscriptionBatch<Message> batch in worker.RunAsync())
        {
            foreach (SubscriptionItem<Message> item in batch.Items)
            {
                receiver.Receive(item.Id, item.Result.Text);
            }
        }
    }

    /// <summary>Sends to another system, for as long as the program runs.</summary>
    internal static async Task RunAsync(DocumentStore store, Uri receiver)
    {
        using var client = new HttpClient();
        while (true)
        {
            // One of these at a time: another one waits, and is let in as soon as the first is gone.
            await using SubscriptionWorker<Message> worker = store.Subscriptions.GetSubscriptionWorker<Message>(
                new SubscriptionWorkerOptions(Subscription)
                {
                    Strategy = SubscriptionOpeningStrategy.WaitForFree,
                    MaxDocsPerBatch = 16,
                    TimeToWaitBeforeConnectionRetry = RetryAfter,
                });
            try
            {
                await worker.Run(batch => SendAsync(client, receiver, batch));
            }
            catch (RavenException e) when (e is not SubscriptionDoesNotExistException)
            {
                // The batch was not sent as a whole, or the server is gone: it comes again.
                await Task.Delay(RetryAfter);
            }
        }
    }

    private static async Task SendAsync(HttpClient client, Uri receiver, SubscriptionBatch<Message> batch)
    {
        foreach (SubscriptionItem<Message> item in batch.Items)
        {
            using var content = new StringContent(item.Result.Text, MediaTypeHeaderValue.Parse("text/plain"));
            content.Headers.Add(Key, item.Id);
            using HttpResponseMessage answer = await client.PostAsync(receiver, content);
            answer.EnsureSuccessStatusCode();
        }
    }
}
