using System.Text;
using Raven.Server.Http.Commands.Types;

namespace Raven.Server.Http.Commands;

/// <summary>The names of commands in the HTTP API.</summary>
internal static class CommandTypes
{
    private static readonly BatchCommandType[] All =
    [
        new AttachmentPutType(),
        new AttachmentDeleteType(),
        new AttachmentCopyType(isMove: false),
        new AttachmentCopyType(isMove: true),
        new PatchType(),
        new BatchPatchType(),
        new JsonPatchType(),
        new CountersType(),
        new CompareExchangePutType(),
        new CompareExchangeDeleteType(),
        new ForceRevisionType(),
        new TimeSeriesType("TimeSeries", isForBulkInsert: false),
        new TimeSeriesType("TimeSeriesWithIncrements", isForBulkInsert: false),
        new TimeSeriesType("TimeSeriesBulkInsert", isForBulkInsert: true),
        new TimeSeriesCopyType(),
        new TrackChangesType(),
    ];

    /// <summary>The kind of command of a <c>Type</c>.</summary>
    /// <param name="text">The text of <c>Type</c>, UTF-8.</param>
    /// <param name="name">The same as a string, if it is neither PUT, DELETE nor HeartBeat.</param>
    /// <param name="type">The type, if it is one of those with a file of their own.</param>
    internal static CommandKind Parse(ReadOnlySpan<byte> text, out string? name, out BatchCommandType? type)
    {
        name = null;
        type = null;
        if (text.SequenceEqual("PUT"u8))
        {
            return CommandKind.Put;
        }

        if (text.SequenceEqual("DELETE"u8))
        {
            return CommandKind.Delete;
        }

        if (text.SequenceEqual("HeartBeat"u8))
        {
            return CommandKind.HeartBeat;
        }

        foreach (BatchCommandType one in All)
        {
            if (Ascii.Equals(text, one.Name))
            {
                name = one.Name;
                type = one;
                return CommandKind.Typed;
            }
        }

        name = Encoding.UTF8.GetString(text);
        return CommandKind.Unknown;
    }
}
