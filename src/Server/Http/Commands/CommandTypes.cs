using System.Text;

namespace Raven.Server.Http.Commands;

/// <summary>The names of commands in the HTTP API.</summary>
internal static class CommandTypes
{
    private static readonly HashSet<string> NotServed =
    [
        "PATCH", "BatchPATCH", "AttachmentPUT", "AttachmentDELETE", "AttachmentMOVE", "AttachmentCOPY", "Counters",
        "TimeSeries", "TimeSeriesWithIncrements", "TimeSeriesBulkInsert", "TimeSeriesCopy", "CompareExchangePUT",
        "CompareExchangeDELETE", "ForceRevisionCreation",
    ];

    /// <summary>What a type stands for.</summary>
    /// <param name="type">The text of <c>Type</c>, UTF-8.</param>
    /// <param name="name">The same as a string, where it is not a type that is served.</param>
    internal static CommandKind Parse(ReadOnlySpan<byte> type, out string? name)
    {
        name = null;
        if (type.SequenceEqual("PUT"u8))
        {
            return CommandKind.Put;
        }

        if (type.SequenceEqual("DELETE"u8))
        {
            return CommandKind.Delete;
        }

        if (type.SequenceEqual("HeartBeat"u8))
        {
            return CommandKind.HeartBeat;
        }

        name = Encoding.UTF8.GetString(type);
        return NotServed.Contains(name) ? CommandKind.NotServed : CommandKind.Unknown;
    }
}
