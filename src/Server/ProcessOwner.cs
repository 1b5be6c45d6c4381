using Microsoft.Extensions.Logging;

namespace Raven.Server;

/// <summary>What has started a process of the server and stops it: its user, by signals, or a manager of services.
/// </summary>
/// <param name="Options">The command line, without those arguments after which no server runs.</param>
/// <param name="Ready">Called with <see cref="ServerHost.Addresses"/> when it serves.</param>
/// <param name="Failed">Called with the reason if it cannot start.</param>
/// <param name="AddLog">Says where the log goes.</param>
/// <param name="Stop">Cancelled when the server shall stop: running requests may end, as the options allow.</param>
internal sealed record ProcessOwner(
    IReadOnlyList<string> Options, Action<string> Ready, Action<string> Failed, Action<ILoggingBuilder> AddLog,
    CancellationToken Stop);
