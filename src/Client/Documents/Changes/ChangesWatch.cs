using System.Text.Json;

namespace Raven.Client.Documents.Changes;

/// <summary>
/// A watch that the server knows by its command, without who listens. It lives from its first observer to its last one.
/// </summary>
internal abstract class ChangesWatch(string command, string[] parameters)
{
    private TaskCompletionSource _confirmed = NewConfirmation();

    internal string Command => command;

    internal string[] Parameters => parameters;

    internal string Key { get; } = KeyOf(command, parameters);

    internal string Name => parameters.Length == 0 ? command : $"{command} {string.Join(' ', parameters)}";

    internal Task Confirmed => _confirmed.Task;

    internal static string KeyOf(string command, string[] parameters) => command + '\n' + string.Join('\n', parameters);

    internal void SetConfirmed() => _confirmed.TrySetResult();

    internal void SetLost()
    {
        if (_confirmed.Task.IsCompleted)
        {
            _confirmed = NewConfirmation();
        }
    }

    /// <summary>Nothing will be told any more: the server has refused it, or the store was disposed.</summary>
    internal void SetFailed(Exception cause)
    {
        SetLost();
        _confirmed.TrySetException(cause);
        _ = _confirmed.Task.Exception; // Nobody has to wait for it.
    }

    /// <summary>Tells a message to those who listen, where it concerns this watch.</summary>
    internal abstract void Tell(string type, JsonElement value);

    /// <summary>Tells those who listen that nothing more comes.</summary>
    /// <param name="cause">Why; null where the store was disposed.</param>
    internal abstract void End(Exception? cause);

    private static TaskCompletionSource NewConfirmation() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
