using Raven.CommandLine.Output;
using Raven.Server;

namespace Raven.CommandLine.Service;

/// <summary>
/// A server that a manager of services starts and stops. It stops as at SIGTERM: it takes no more connections, and what
/// runs may end. While something takes long, the manager is asked for time again and again.
/// </summary>
/// <param name="serve">The server: runs until its owner stops it, and gives its exit code.</param>
/// <param name="step">How often the manager is asked; each time for three of them.</param>
internal sealed class ServiceRun(Func<ProcessOwner, Task<int>> serve, TimeSpan step) : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly TaskCompletionSource _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The exit code, when it has ended.</summary>
    internal Task<int> Ended { get; private set; } = Task.FromResult(0);

    /// <summary>Starts it, and waits until it serves.</summary>
    /// <param name="owner">Takes its log and its errors.</param>
    /// <param name="moreTime">Asks the manager for so much time.</param>
    /// <returns>Whether it serves. If not, <see cref="Ended"/> has the code, and the errors say why.</returns>
    internal async Task<bool> StartAsync(ProcessOwner owner, Action<TimeSpan> moreTime)
    {
        ProcessOwner own = owner with
        {
            Stop = _stop.Token,
            Ready = addresses =>
            {
                owner.Ready(addresses);
                _ready.TrySetResult();
            },
        };
        Ended = Task.Run(() => ServeAsync(own));
        await WaitAsync(Task.WhenAny(Ended, _ready.Task), moreTime).ConfigureAwait(false);
        return !Ended.IsCompleted;
    }

    /// <summary>Stops it, and waits until it has ended.</summary>
    /// <param name="moreTime">Asks the manager for so much time.</param>
    internal async Task<int> StopAsync(Action<TimeSpan> moreTime)
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await WaitAsync(Ended, moreTime).ConfigureAwait(false);
        return await Ended.ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Dispose() => _stop.Dispose();

    /// <summary>There is no console that would show an exception that is not caught.</summary>
    private async Task<int> ServeAsync(ProcessOwner owner)
    {
        try
        {
            return await serve(owner).ConfigureAwait(false);
        }
        catch (Exception bug)
        {
            owner.Failed(bug.ToString());
            return ExitCode.ServerFailed;
        }
    }

    private async Task WaitAsync(Task work, Action<TimeSpan> moreTime)
    {
        while (await Task.WhenAny(work, Task.Delay(step, TimeProvider.System)).ConfigureAwait(false) != work)
        {
            moreTime(3 * step);
        }
    }
}
