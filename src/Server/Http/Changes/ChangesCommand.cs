using System.Globalization;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Changes;
using Raven.Documents.Ids;

namespace Raven.Server.Http.Changes;

/// <summary>A message of a client over its changes connection: begin or end a watch.</summary>
/// <param name="Id">The number that the confirmation repeats.</param>
/// <param name="IsUnwatch">True if the watch ends.</param>
/// <param name="Watch">The watch.</param>
internal readonly record struct ChangesCommand(long Id, bool IsUnwatch, ChangeWatch Watch)
{
    private static readonly Dictionary<string, (ChangeWatchKind Kind, int Texts)> Names = new()
    {
        ["watch-docs"] = (ChangeWatchKind.AllDocuments, 0),
        ["watch-doc"] = (ChangeWatchKind.Document, 1),
        ["watch-prefix"] = (ChangeWatchKind.Prefix, 1),
        ["watch-collection"] = (ChangeWatchKind.Collection, 1),
        ["watch-operations"] = (ChangeWatchKind.AllOperations, 0),
        ["watch-operation"] = (ChangeWatchKind.Operation, 1),
        ["watch-indexes"] = (ChangeWatchKind.AllIndexes, 0),
        ["watch-index"] = (ChangeWatchKind.Index, 1),
        ["watch-counters"] = (ChangeWatchKind.AllCounters, 0),
        ["watch-counter"] = (ChangeWatchKind.Counter, 1),
        ["watch-document-counters"] = (ChangeWatchKind.CountersOfDocument, 1),
        ["watch-document-counter"] = (ChangeWatchKind.CounterOfDocument, 2),
        ["watch-all-timeseries"] = (ChangeWatchKind.AllTimeSeries, 0),
        ["watch-timeseries"] = (ChangeWatchKind.TimeSeries, 1),
        ["watch-all-document-timeseries"] = (ChangeWatchKind.TimeSeriesOfDocument, 1),
        ["watch-document-timeseries"] = (ChangeWatchKind.OneTimeSeriesOfDocument, 2),
        ["watch-topology-change"] = (ChangeWatchKind.Topology, 0),
        ["watch-aggressive-caching"] = (ChangeWatchKind.AggressiveCache, 0),
    };

    /// <summary>Reads a command.</summary>
    /// <param name="context">Memory for the parser; the command keeps nothing of it.</param>
    /// <param name="json">The message.</param>
    /// <param name="command">The command.</param>
    /// <param name="error">What is wrong with it, or null.</param>
    internal static bool TryParse(
        OperationContext context, ReadOnlySpan<byte> json, out ChangesCommand command, out string? error)
    {
        command = default;
        if (!context.Parser.TryParse(json, BlittableMode.ToMemory, out BlittableObject message, out JsonError invalid))
        {
            error = $"A command must be a JSON object: {invalid}";
            return false;
        }

        if (!message.TryGet("Command"u8, out BlittableValue name) || !name.TryGetString(out string text))
        {
            error = "A command must name its Command.";
            return false;
        }

        long id = message.TryGet("CommandId"u8, out BlittableValue number) && number.TryGetInt64(out long value)
            ? value
            : 0;
        bool isUnwatch = text.StartsWith("un", StringComparison.Ordinal);
        if (!Names.TryGetValue(isUnwatch ? text[2..] : text, out (ChangeWatchKind Kind, int Texts) known))
        {
            error = $"'{text}' is no command of this server.";
            return false;
        }

        string? key = known.Texts switch { 0 => "", 1 => One(message, context), _ => Two(message, context) };
        error = key == null ? $"'{text}' needs {(known.Texts == 1 ? "Param, a text." : "Params, two texts.")}" : null;
        command = new ChangesCommand(id, isUnwatch, new ChangeWatch(known.Kind, key ?? ""));
        return error == null;
    }

    private static string? One(BlittableObject message, OperationContext context) =>
        message.TryGet("Param"u8, out BlittableValue value) ? Key(value, context) : null;

    private static string? Two(BlittableObject message, OperationContext context) =>
        message.TryGet("Params"u8, out BlittableValue value) && value.TryGetArray(out BlittableArray both)
        && both.Count == 2 && Key(both[0], context) is { } first && Key(both[1], context) is { } second
            ? ChangesHub.Pair(first, second)
            : null;

    private static string? Key(in BlittableValue value, OperationContext context)
    {
        if (value.TryGetInt64(out long number))
        {
            return number.ToString(CultureInfo.InvariantCulture);
        }

        return value.Kind == ValueKind.String && value.Utf8LengthMax > 0
            ? DocumentId.FoldedText(Utf8Text.Of(value, context))
            : null;
    }
}
