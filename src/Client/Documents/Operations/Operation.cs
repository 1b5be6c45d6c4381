using System.Text.Json;
using Raven.Client.Exceptions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>An operation that takes longer than a request.</summary>
public sealed class Operation
{
    private static readonly TimeSpan PollMin = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan PollMax = TimeSpan.FromMilliseconds(500);

    private readonly RequestExecutor _executor;

    internal Operation(RequestExecutor executor, long id)
    {
        _executor = executor;
        Id = id;
    }

    /// <summary>The id of the operation.</summary>
    public long Id { get; }

    /// <summary>The progress, raised at each poll while a caller waits for the end.</summary>
    public event EventHandler<OperationState>? OnProgressChanged;

    /// <summary>Reads the state of the operation; null if the server does not know it, or no longer.</summary>
    public Task<OperationState?> GetStateAsync(CancellationToken cancellationToken = default) =>
        _executor.ExecuteAsync(StateCommand(Id), cancellationToken);

    /// <summary>Waits until the operation has ended.</summary>
    /// <param name="timeout">How long to wait; null waits forever.</param>
    /// <param name="cancellationToken">Cancels the wait, not the operation.</param>
    /// <returns>The result of the operation.</returns>
    /// <exception cref="RavenException">The operation failed; may be a derived type.</exception>
    /// <exception cref="RavenTimeoutException">The operation still runs at the end of the timeout.</exception>
    /// <exception cref="OperationCanceledException">The operation, or the wait, was cancelled.</exception>
    public async Task<JsonElement?> WaitForCompletionAsync(
        TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        TimeProvider clock = _executor.Conventions.Clock;
        long begin = clock.GetTimestamp();
        TimeSpan pause = PollMin;
        while (true)
        {
            OperationState? state = await GetStateAsync(cancellationToken).ConfigureAwait(false);
            if (state is null)
            {
                throw new RavenException($"The server does not know the operation {Id}.");
            }

            OnProgressChanged?.Invoke(this, state);
            switch (state.Status)
            {
                case OperationStatus.Completed:
                    return state.Result;
                case OperationStatus.Faulted:
                    throw FailureOf(state);
                case OperationStatus.Canceled:
                    throw new OperationCanceledException($"The operation {Id} was ended before it was done.");
            }

            if (timeout is { } limit && clock.GetElapsedTime(begin) >= limit)
            {
                throw new RavenTimeoutException($"The operation {Id} was not done within {limit}. It goes on.");
            }

            await Task.Delay(pause, clock, cancellationToken).ConfigureAwait(false);
            pause = TimeSpan.FromTicks(Math.Min(pause.Ticks * 2, PollMax.Ticks));
        }
    }

    /// <summary>Blocks until the operation has ended; see <see cref="WaitForCompletionAsync"/>.</summary>
    public JsonElement? WaitForCompletion(TimeSpan? timeout = null) =>
        WaitForCompletionAsync(timeout).GetAwaiter().GetResult();

    /// <summary>Cancels the operation; does nothing if it has ended.</summary>
    public Task KillAsync(CancellationToken cancellationToken = default) => _executor.ExecuteAsync(
        new SimpleCommand<bool>(
            node => new UrlBuilder(node, _executor.Database is null ? "/admin/operations/kill" : "/operations/kill")
                .Add("id", Id).ToRequest(HttpMethod.Post),
            _ => true, isRead: false)
        { NotFoundIsResult = true },
        cancellationToken);

    internal static RavenException FailureOf(OperationState state)
    {
        string? type = null;
        string message = "The operation failed.";
        if (state.Result is { ValueKind: JsonValueKind.Object } result)
        {
            type = result.TryGetProperty("Type", out JsonElement name) ? name.GetString() : null;
            message = result.TryGetProperty("Message", out JsonElement text) ? text.GetString() ?? message : message;
        }

        return ExceptionFactory.FromType(type, message);
    }

    internal static SimpleCommand<OperationState> StateCommand(long id) => new(
        node =>
            new UrlBuilder(node, "/operations/state").Add("id", id).ToRequest(HttpMethod.Get), ReadState, isRead: true);

    private static OperationState? ReadState(RavenResponse response)
    {
        if (response.IsNotFound)
        {
            return null;
        }

        JsonElement json = response.ReadJson();
        return new OperationState(
            Enum.Parse<OperationStatus>(json.GetProperty("Status").GetString()!), Find(json, "Progress"),
            Find(json, "Result"));
    }

    private static JsonElement? Find(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;
}
