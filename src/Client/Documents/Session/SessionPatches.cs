using System.Globalization;
using System.Linq.Expressions;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Documents.Entities;
using Raven.Client.Documents.Operations;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>Makes the scripts of a session's patches from lambdas.</summary>
internal sealed class SessionPatches(EntitySerializer serializer)
{
    internal PatchRequest Set(LambdaExpression path, object? value) => new()
    {
        Script = $"this{ScriptPathOf(path)} = args.val_0;",
        Values = { ["val_0"] = value },
    };

    internal PatchRequest Add(LambdaExpression path, object? value)
    {
        string field = ScriptPathOf(path);
        return new PatchRequest
        {
            Script = $"this{field} = this{field} ? this{field} + args.val_0 : args.val_0;",
            Values = { ["val_0"] = value },
        };
    }

    internal PatchRequest Change<TValue>(LambdaExpression path, Action<JavaScriptArray<TValue>> change)
    {
        Dictionary<string, object?> values = [];
        var list = new JavaScriptArray<TValue>(ScriptPathOf(path), values);
        change(list);
        return new PatchRequest { Script = list.Script, Values = values };
    }

    /// <summary>Defers a patch; several of one document become one script.</summary>
    internal static void Defer(
        List<ICommandData> deferred, string id, PatchRequest patch, ReadOnlyMemory<byte>? createIfMissing = null)
    {
        int known = deferred.FindIndex(command => command is PatchCommandData { ChangeVector: null } other
            && string.Equals(other.Id, id, StringComparison.OrdinalIgnoreCase));
        if (known < 0 || createIfMissing != null)
        {
            deferred.Add(new PatchCommandData(id, null, patch) { CreateIfMissing = createIfMissing });
            return;
        }

        var earlier = (PatchCommandData)deferred[known];
        PatchRequest joined = Join(earlier.Patch, patch);
        deferred[known] = new PatchCommandData(id, null, joined) { CreateIfMissing = earlier.CreateIfMissing };
    }

    /// <exception cref="NotSupportedException">The lambda reads no property; the message names it.</exception>
    private string ScriptPathOf(LambdaExpression path) => serializer.PathOf(path) is { Length: > 0 } known
        ? ScriptPath.OfPath(known)
        : throw new NotSupportedException($"'{path}' is the document, and no property of it.");

    /// <summary>
    /// Joins two scripts; the values of the second are renamed, so that they do not collide with those of the first.
    /// </summary>
    private static PatchRequest Join(PatchRequest first, PatchRequest second)
    {
        var values = new Dictionary<string, object?>(first.Values);
        string script = second.Script;
        string prefix = string.Create(CultureInfo.InvariantCulture, $"p{values.Count}_");
        foreach ((string name, object? value) in second.Values)
        {
            values[prefix + name] = value;
        }

        return new PatchRequest
        {
            Script = first.Script + "\n" + script.Replace("args.val_", $"args.{prefix}val_", StringComparison.Ordinal),
            Values = values,
        };
    }
}
