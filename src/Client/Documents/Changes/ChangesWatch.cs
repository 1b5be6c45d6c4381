using System.Text.Json;

namespace Raven.Client.Documents.Changes;

/// <summary>A watch that the server knows by its command, without who listens.</summary>
internal abstract class ChangesWatch(DatabaseChanges changes, string command, string[] parameters)
{
    private TaskCompletionSource _confirmed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal string Command => command;

    internal string[] Parameters => parameters;

    internal string Name => parameters.Length == 0 ? command : $"{command} {string.Join(' ', parameters)}";

    internal abstract bool HasObservers { get; }

    internal Task Confirmed => _confirmed.Task;

    protected DatabaseChanges Changes => changes;

    internal static string KeyOf(string command, string[] parameters) => command + '\n' + string.Join('\n', parameters);

    internal void SetConfirmed() => _confirmed.TrySetResult();

    internal void SetLost()
    {
        if (_confirmed.Task.IsCompleted)
        {
            _confirmed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    /// <summary>Tells a message to those who listen, where it concerns this watch.</summary>
    internal abstract void Tell(string type, JsonElement value);

    internal abstract void End();
}
