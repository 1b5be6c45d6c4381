using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Scripting.Documents;
using Raven.Scripting.Hosting;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.HostFunctions;

/// <summary>The functions that connect a script with its database. They call the host of the run.</summary>
internal static class HostLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        BuildDocuments(builder);
        BuildMetadata(builder);
        HostSeries.Build(builder);
        HostHelpers.Build(builder);
        HostNumbers.Build(builder);
    }

    internal static JsValue ToValue(Run run, ScriptDocument document)
    {
        run.ChargeBytes(200);
        return new JsValue(new DocumentObject(run.Realm.ObjectPrototype, document.Data) { Info = document });
    }

    /// <summary>Calls the host; a refusal becomes an error of the script.</summary>
    internal static T Ask<T>(Run run, Func<ScriptHost, T> question)
    {
        run.ChargeSteps(10);
        ScriptHost host = run.Host ?? throw run.TypeError("There is no database in this run");
        try
        {
            return question(host);
        }
        catch (ScriptHostException exception)
        {
            throw run.TypeError(exception.Message);
        }
    }

    internal static void Function(RealmBuilder builder, string name, int length, NativeCall call) =>
        builder.DefineGlobal(name, new JsValue(builder.Function(name, length, call)));

    /// <summary>
    /// A function of a document, or of another key: a missing document has no metadata, counter or attachment, and the
    /// result is null in scripts that read through missing values.
    /// </summary>
    internal static void Lookup(RealmBuilder builder, string name, int length, NativeCall call) =>
        Function(builder, name, length, (run, self, a) =>
            run.ReadsThroughMissing && a.At(0).IsNullish ? JsValue.Null : call(run, self, a));

    /// <summary>The id of a document, given as such or by its id.</summary>
    internal static string IdOf(Run run, JsValue value) =>
        value.IsString ? value.String.Flat
        : (value.AsObject as DocumentObject)?.Info?.Id ?? throw run.TypeError("This is not a stored document");

    private static void BuildDocuments(RealmBuilder builder)
    {
        Function(builder, "id", 1, (run, _, a) =>
            (a.At(0).AsObject as DocumentObject)?.Info?.Id is { } id ? run.NewString(id) : JsValue.Null);
        Function(builder, "load", 1, (run, _, a) =>
            a.At(0).AsObject is { } ids && !a.At(0).IsString ? LoadAll(run, ids) : Load(run, a.At(0)));
        Function(builder, "loadPath", 2, (run, _, a) => LoadPath(run, a.At(0), Operations.ToText(run, a.At(1))));
        Function(builder, "put", 3, Put);
        Function(builder, "del", 2, (run, _, a) =>
        {
            string id = IdOf(run, a.At(0));
            string? changeVector = a.At(1).IsNullish ? null : Operations.ToText(run, a.At(1));
            return JsValue.Of(Ask(run, host => host.Delete(id, changeVector)));
        });
        Lookup(builder, "cmpxchg", 1, (run, _, a) =>
        {
            string key = Operations.ToText(run, a.At(0));
            BlittableValue found = Ask(
                run, host => host.TryGetCompareExchange(key, out BlittableValue value) ? value : default);
            return DocumentValues.ToValue(run, found);
        });
        BuildIncludes(builder);
        Function(builder, "output", 1, (run, _, a) =>
        {
            string text = a.At(0).IsObject
                ? JsonWriter.Write(run, a.At(0), JsValue.Undefined, JsValue.Undefined).Text ?? "undefined"
                : a.At(0).IsSymbol ? a.At(0).Cell!.ToString()! : Operations.ToText(run, a.At(0));
            return Ask(run, host =>
            {
                host.Output(text);
                return JsValue.Undefined;
            });
        });
        Function(builder, "map", 2, (run, _, a) =>
        {
            JsValue function = a.At(a.Length - 1);
            Objects.Callable(run, function);
            if (a.Length > 1 && a[0].Text is not { Length: > 0 })
            {
                throw run.TypeError("map() takes the name of a collection, a text, and a function");
            }

            run.ChargeBytes(32);
            run.Maps.Add((a.Length > 1 ? a[0].Text! : "@all_docs", function));
            return JsValue.Undefined;
        });
    }

    /// <summary>
    /// <c>include(id)</c>, and the same for more kinds: <c>includes.document(id)</c>, <c>includes.cmpxchg(key)</c>,
    /// each with any number of them, also in arrays.
    /// </summary>
    private static void BuildIncludes(RealmBuilder builder)
    {
        Function(builder, "include", 1, (run, _, a) => Include(run, a[..Math.Min(1, a.Length)], AskedFor.Document));
        var includes = new JsObject(builder.Realm.ObjectPrototype);
        builder.Method(includes, "document", 1, (run, _, a) => Include(run, a, AskedFor.Document));
        builder.Method(includes, "cmpxchg", 1, (run, _, a) => Include(run, a, AskedFor.CompareExchange));
        builder.DefineGlobal("includes", new JsValue(includes));
    }

    private static JsValue Include(Run run, ReadOnlySpan<JsValue> asked, AskedFor what)
    {
        foreach (JsValue one in asked)
        {
            if (one.AsObject is JsArray or DocumentArray)
            {
                for (long i = 0; i < Objects.LengthOf(run, one.Object); i++)
                {
                    run.Step();
                    IncludeOne(run, Objects.At(run, one.Object, i), what);
                }
            }
            else
            {
                IncludeOne(run, one, what);
            }
        }

        return JsValue.Undefined;
    }

    private static void IncludeOne(Run run, JsValue asked, AskedFor what)
    {
        // A property that the document does not have refers to nothing.
        if (asked.IsNullish)
        {
            return;
        }

        string key = what == AskedFor.Document ? IdOf(run, asked) : Operations.ToText(run, asked);
        Ask(run, host =>
        {
            if (what == AskedFor.Document)
            {
                host.Include(key);
            }
            else
            {
                host.IncludeCompareExchange(key);
            }

            return true;
        });
    }

    private static JsValue Load(Run run, JsValue value)
    {
        if (value.IsNullish)
        {
            return JsValue.Null;
        }

        string id = Operations.ToText(run, value);
        ScriptDocument? found = Ask(run, host => host.TryLoad(id, out ScriptDocument document) ? document : null);
        return found is null ? JsValue.Null : ToValue(run, found);
    }

    private static JsValue LoadAll(Run run, JsObject ids)
    {
        JsArray result = run.NewArray();
        for (long i = 0; i < Objects.LengthOf(run, ids); i++)
        {
            run.Step();
            result.Add(run, Load(run, Objects.At(run, ids, i)));
        }

        return new JsValue(result);
    }

    /// <summary>Loads what a path in a document points to: one document, or all if it leads through an array.</summary>
    private static JsValue LoadPath(Run run, JsValue document, string path)
    {
        List<JsValue> values = [document];
        bool many = false;
        foreach (string part in path.Split('.', StringSplitOptions.RemoveEmptyEntries))
        {
            string name = part.EndsWith("[]", StringComparison.Ordinal) ? part[..^2] : part;
            List<JsValue> next = [];
            foreach (JsValue value in values)
            {
                JsValue found = value.IsNullish ? JsValue.Undefined : run.GetProperty(value, name);
                many |= AddFlat(run, next, found);
            }

            values = next;
        }

        List<JsValue> loaded = [.. values.Select(id => Load(run, id))];
        return many ? Objects.FromList(run, loaded) : loaded.Count > 0 ? loaded[0] : JsValue.Null;
    }

    private static bool AddFlat(Run run, List<JsValue> target, JsValue value)
    {
        if (value.AsObject is not (JsArray or DocumentArray))
        {
            target.Add(value);
            return false;
        }

        for (long i = 0; i < Objects.LengthOf(run, value.Object); i++)
        {
            run.Step();
            target.Add(Objects.At(run, value.Object, i));
        }

        return true;
    }

    private static JsValue Put(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        string id = Operations.ToText(run, arguments.At(0));
        JsValue document = arguments.At(1);
        if (!document.IsObject || document.AsFunction is not null)
        {
            throw run.TypeError("put needs an id and an object");
        }

        string? changeVector = arguments.At(2).IsNullish ? null : Operations.ToText(run, arguments.At(2));
        ScriptHost host = run.Host ?? throw run.TypeError("There is no database in this run");
        BlittableValue written = DocumentWriter.Write(run, document, BlittableMode.ToDisk, host.Context);
        return written.TryGetObject(out BlittableObject stored)
            ? run.NewString(Ask(run, asked => asked.Put(id, stored, changeVector)))
            : throw run.TypeError("put needs an id and an object");
    }

    private static void BuildMetadata(RealmBuilder builder)
    {
        Lookup(builder, "getMetadata", 1, (run, _, a) => Metadata(run, a.At(0)));
        Lookup(builder, "metadataFor", 1, (run, _, a) => Metadata(run, a.At(0)));
        Function(builder, "lastModified", 1, (run, _, a) =>
            (a.At(0).AsObject as DocumentObject)?.Info?.LastModified is { } time
                ? new JsValue(time.ToUnixTimeMilliseconds()) : JsValue.Null);
    }

    /// <summary>The metadata of a document, with what the server adds to it.</summary>
    internal static JsValue Metadata(Run run, JsValue value)
    {
        if (value.AsObject is not DocumentObject document)
        {
            return value.AsObject is { } plain ? plain.Get(run, "@metadata")
                : throw run.TypeError("getMetadata needs a document");
        }

        if (document.TryGetMapped(run, "@metadata", out JsValue mapped) && mapped.IsObject)
        {
            return mapped;
        }

        if (document.MadeMetadata is { } made)
        {
            return new JsValue(made);
        }

        bool isStored = document.TryFind("@metadata", out BlittableValue stored)
            & stored.TryGetObject(out BlittableObject source);
        run.ChargeBytes(300);
        DocumentObject metadata = new(run.Realm.ObjectPrototype, source)
        {
            System = document.Info is { } info ? new SystemMetadata(info) : null,
        };
        if (isStored && !mapped.IsEmpty)
        {
            document.KeepMetadata(run, metadata);
        }
        else
        {
            document.MadeMetadata = metadata;
        }

        return new JsValue(metadata);
    }

    private enum AskedFor
    {
        Document,
        CompareExchange,
    }
}
