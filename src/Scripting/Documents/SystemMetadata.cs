using System.Globalization;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Documents;

/// <summary>
/// The host's facts of a document that are added to its metadata. Values are made when a script reads them.
/// </summary>
/// <param name="info">The host's facts.</param>
internal sealed class SystemMetadata(ScriptDocument info)
{
    private JsObject? _linked;

    /// <summary>The names in their order.</summary>
    internal List<string> NamesIn(Run run)
    {
        List<string> names = [];
        foreach (string name in new[] { "@id", "@change-vector", "@last-modified" })
        {
            if (TryGetFact(run, name, out _))
            {
                names.Add(name);
            }
        }

        if (Linked(run) is { } linked)
        {
            names.AddRange(Objects.EnumerableNames(run, linked));
        }

        return names;
    }

    internal bool TryGet(Run run, string name, out JsValue value)
    {
        value = JsValue.Undefined;
        if (name.Length == 0 || name[0] != '@')
        {
            return false;
        }

        if (TryGetFact(run, name, out value))
        {
            return true;
        }

        if (Linked(run) is not { } linked || !linked.TryGetOwn(run, name, out Property own))
        {
            return false;
        }

        value = own.Value;
        return true;
    }

    private bool TryGetFact(Run run, string name, out JsValue value)
    {
        string? text = name switch
        {
            "@id" => info.Id,
            "@change-vector" => info.ChangeVector,
            "@last-modified" => info.LastModified?.UtcDateTime.ToString(
                "yyyy-MM-ddTHH:mm:ss.fffffff'Z'", CultureInfo.InvariantCulture),
            _ => null,
        };
        value = text is null ? JsValue.Undefined : run.NewString(text);
        return text is not null;
    }

    private JsObject? Linked(Run run) =>
        _linked ??= info.Linked is { } linked ? new JsonReader(run, linked()).Read().AsObject : null;
}
