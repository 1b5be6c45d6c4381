using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using System.Text.Json;
using Raven.Client.Documents.Commands;
using Raven.Client.Exceptions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>The lazy requests of a session, and the one request that sends all of them.</summary>
internal sealed class LazyRequests(AsyncDocumentSession session)
    : IAsyncLazySessionOperations, ILazySessionOperations, IAsyncEagerSessionOperations, IEagerSessionOperations
{
    private readonly List<LazyRequest> _pending = [];

    public Lazy<Task<T?>> LoadAsync<T>(string id)
    {
        Func<Task<Dictionary<string, T?>>> load = Prepare<T>([id]);
        return new Lazy<Task<T?>>(async () =>
            (await load().ConfigureAwait(false)).GetValueOrDefault(id));
    }

    public Lazy<Task<Dictionary<string, T?>>> LoadAsync<T>(IEnumerable<string> ids) => new(Prepare<T>([.. ids]));

    public Lazy<Task<IReadOnlyList<T>>> LoadStartingWithAsync<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25) =>
        new(PreparePrefix<T>(idPrefix, matches, start, pageSize));

    [UnconditionalSuppressMessage("Trimming", "IL2091:UnrecognizedReflectionPattern",
        Justification = "A delegate makes the value: no constructor of the type is looked for.")]
    public Lazy<T?> Load<T>(string id)
    {
        Func<Task<Dictionary<string, T?>>> load = Prepare<T>([id]);
        return new Lazy<T?>(() => load().GetAwaiter().GetResult().GetValueOrDefault(id));
    }

    public Lazy<Dictionary<string, T?>> Load<T>(IEnumerable<string> ids)
    {
        Func<Task<Dictionary<string, T?>>> load = Prepare<T>([.. ids]);
        return new(() => load().GetAwaiter().GetResult());
    }

    public Lazy<IReadOnlyList<T>> LoadStartingWith<T>(
        string idPrefix, string? matches = null, int start = 0, int pageSize = 25)
    {
        Func<Task<IReadOnlyList<T>>> load = PreparePrefix<T>(idPrefix, matches, start, pageSize);
        return new(() => load().GetAwaiter().GetResult());
    }

    public Lazy<Task<ConditionalLoadResult<T>>> ConditionalLoadAsync<T>(string id, string changeVector) =>
        new(PrepareConditional<T>(id, changeVector));

    public Lazy<ConditionalLoadResult<T>> ConditionalLoad<T>(string id, string changeVector)
    {
        Func<Task<ConditionalLoadResult<T>>> load = PrepareConditional<T>(id, changeVector);
        return new(() => load().GetAwaiter().GetResult());
    }

    public void ExecuteAllPendingLazyOperations() =>
        ExecuteAllPendingLazyOperationsAsync().GetAwaiter().GetResult();

    public async Task ExecuteAllPendingLazyOperationsAsync(CancellationToken cancellationToken = default)
    {
        LazyRequest[] sent = [.. _pending];
        if (sent.Length == 0)
        {
            return;
        }

        InnerAnswer[]? answers = await session.ExecuteAsync(
            new MultiGetCommand([.. sent.Select(lazy => lazy.Request)]), cancellationToken).ConfigureAwait(false);
        _pending.RemoveAll(lazy => sent.Contains(lazy));
        for (int i = 0; i < sent.Length; i++)
        {
            InnerAnswer answer = answers![i];
            if (answer.Status is 0 or 200 or 201 or 203 or 204 or 304 or 404)
            {
                sent[i].SetAnswer(answer.Result);
            }
            else
            {
                sent[i].SetFailure(ExceptionFactory.FromAnswer(
                    answer.Status, sent[i].Request.Path, JsonMarshal.GetRawUtf8Value(answer.Result).ToArray()));
            }
        }

        foreach (LazyRequest lazy in sent)
        {
            lazy.ThrowIfFailed();
        }
    }

    /// <summary>Adds a request to those that wait.</summary>
    /// <returns>Sends the waiting requests, if that has not been done, and throws if this one was refused.</returns>
    internal Func<Task> Add(InnerRequest request, Action<JsonElement> read)
    {
        var lazy = new LazyRequest(request, read);
        _pending.Add(lazy);
        return async () =>
        {
            if (!lazy.IsDone)
            {
                await SendForOneAsync().ConfigureAwait(false);
            }

            lazy.ThrowIfFailed();
        };
    }

    private static GetDocumentsResult Parse(JsonElement answer) => GetDocumentsResult.Parse(AnswerBody.Copy(answer));

    /// <summary>
    /// Sends all waiting requests because one value is read. Errors of the others are thrown when their
    /// values are read.
    /// </summary>
    private async Task SendForOneAsync()
    {
        LazyRequest[] sent = [.. _pending];
        try
        {
            await ExecuteAllPendingLazyOperationsAsync().ConfigureAwait(false);
        }
        catch (Exception) when (Array.TrueForAll(sent, lazy => lazy.IsDone))
        {
            // Each failed request has the exception, and throws it when its value is read.
        }
    }

    private Func<Task<Dictionary<string, T?>>> Prepare<T>(string[] ids)
    {
        string[] wanted =
        [
            .. ids.Where(id => !session.Documents.IsKnown(id)).Distinct(StringComparer.OrdinalIgnoreCase),
        ];
        Func<Task> send = () => Task.CompletedTask;
        if (wanted.Length > 0)
        {
            var command = new GetDocumentsCommand { Ids = wanted };
            send = Add(InnerRequest.Of(command), answer => session.RegisterDocuments(Parse(answer), wanted));
        }

        return async () =>
        {
            await send().ConfigureAwait(false);
            Dictionary<string, T?> loaded = new(StringComparer.OrdinalIgnoreCase);
            foreach (string id in ids)
            {
                loaded[id] = session.GetLocal<T>(id);
            }

            return loaded;
        };
    }

    private Func<Task<IReadOnlyList<T>>> PreparePrefix<T>(string idPrefix, string? matches, int start, int pageSize)
    {
        var command = new GetDocumentsCommand
        {
            StartsWith = idPrefix, Matches = matches, Start = start, PageSize = pageSize,
        };
        List<T> loaded = [];
        Func<Task> send = Add(
            InnerRequest.Of(command), answer => loaded = session.TrackAll<T>(Parse(answer)));
        return async () =>
        {
            await send().ConfigureAwait(false);
            return loaded;
        };
    }

    private Func<Task<ConditionalLoadResult<T>>> PrepareConditional<T>(string id, string changeVector)
    {
        ArgumentException.ThrowIfNullOrEmpty(changeVector);
        if (session.FindConditional<T>(id) is { } known)
        {
            return () => Task.FromResult(known);
        }

        ConditionalLoadResult<T>? loaded = null;
        InnerRequest request = InnerRequest.Of(new GetDocumentsCommand { Ids = [id] }) with
        {
            KnownChangeVector = changeVector,
        };
        Func<Task> send = Add(request, answer => loaded = session.TrackConditional<T>(
            answer.ValueKind == JsonValueKind.Null
                ? new ConditionalGetResult(default, IsUnchanged: true)
                : new ConditionalGetResult(Parse(answer).Results[0], IsUnchanged: false),
            changeVector));
        return async () =>
        {
            await send().ConfigureAwait(false);
            return loaded!;
        };
    }
}
