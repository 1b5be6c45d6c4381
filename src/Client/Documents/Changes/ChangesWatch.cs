using System.Text.Json;

namespace Raven.Client.Documents.Changes;

/// <summary>
/// A watch as the server has it: a command with parameters, without observers. It exists from the first observer to
/// the last one.
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

    /// <summary>Ends the watch with an error, because the server has refused it or the store was disposed.</summary>
    internal void SetFailed(Exception cause)
    {
        SetLost();
        _confirmed.TrySetException(cause);
        _ = _confirmed.Task.Exception; // It need not be awaited.
    }

    /// <summary>Passes a message to the observers, if it concerns this watch.</summary>
    internal abstract void Notify(string type, JsonElement value);

    /// <summary>Notifies the observers that no more changes come.</summary>
    /// <param name="cause">Why; null if the store was disposed.</param>
    internal abstract void End(Exception? cause);

    private static TaskCompletionSource NewConfirmation() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
