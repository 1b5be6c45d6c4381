using Raven.Scripting.Documents;
using Raven.Scripting.Hosting;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.HostFunctions;

/// <summary>Counters and time series of documents, through the host.</summary>
internal static class HostSeries
{
    /// <summary>The beginning of the year 1, in ms since 1970.</summary>
    private const double FirstTime = -62_135_596_800_000;

    /// <summary>The end of the year 9999.</summary>
    private const double LastTime = 253_402_300_799_999;

    internal static void Build(RealmBuilder builder)
    {
        HostLibrary.Lookup(builder, "counter", 2, (run, _, a) =>
        {
            (string id, string name) = Names(run, a);
            long? found = HostLibrary.Ask(
                run, host => host.TryGetCounter(id, name, out long value) ? value : (long?)null);
            return found is { } number ? DocumentValues.ToValue(run, number) : JsValue.Null;
        });
        HostLibrary.Lookup(builder, "counterRaw", 2, (run, _, a) =>
        {
            (string id, string name) = Names(run, a);
            (string Node, long Value)? found = HostLibrary.Ask(
                run,
                host => host.TryGetRawCounter(id, name, out string node, out long value)
                    ? (node, value)
                    : ((string, long)?)null);
            if (found is not { } raw)
            {
                return JsValue.Null;
            }

            JsObject byNode = run.NewObject();
            byNode.Define(run, raw.Node, DocumentValues.ToValue(run, raw.Value), PropertyFlags.All);
            return new JsValue(byNode);
        });
        HostLibrary.Lookup(builder, "counterNamesFor", 1, (run, _, a) =>
        {
            string id = HostLibrary.IdOf(run, a.At(0));
            return DocumentValues.ToValue(run, HostLibrary.Ask(run, host => host.GetCounterNames(id)));
        });
        HostAttachments.Build(builder);
        HostLibrary.Function(builder, "incrementCounter", 3, (run, _, a) =>
        {
            (string id, string name) = Names(run, a);
            double delta = a.At(2).IsUndefined ? 1 : Operations.ToNumber(run, a.At(2));
            return HostLibrary.Ask(run, host =>
            {
                host.IncrementCounter(id, name, delta);
                return JsValue.True;
            });
        });
        HostLibrary.Function(builder, "deleteCounter", 2, (run, _, a) =>
        {
            (string id, string name) = Names(run, a);
            return HostLibrary.Ask(run, host =>
            {
                host.DeleteCounter(id, name);
                return JsValue.True;
            });
        });
        HostLibrary.Lookup(builder, "timeseries", 2, (run, _, a) => Series(run, a));
        HostLibrary.Function(builder, "__timeSeriesQuery", 1, (run, _, a) => Query(run, a));
    }

    /// <summary>A time series that a query declares as a function: its name, and the arguments of the call.</summary>
    private static JsValue Query(Run run, ReadOnlySpan<JsValue> arguments)
    {
        string name = Operations.ToText(run, arguments.At(0));
        List<ScriptArgument> passed = [];
        for (int i = 1; i < arguments.Length; i++)
        {
            passed.Add(ArgumentOf(run, arguments[i]));
        }

        return run.NewString(HostLibrary.Ask(run, host => host.QueryTimeSeries(name, passed)));
    }

    private static ScriptArgument ArgumentOf(Run run, JsValue value) =>
        value.IsNullish ? new ScriptArgument(null, false)
        : value.IsString ? new ScriptArgument(value.String.Flat, false)
        : value.AsObject is JsDate date
            ? new ScriptArgument(double.IsNaN(date.Time) ? null : DateText.Stored((long)date.Time), false)
        : value.AsObject is not null ? new ScriptArgument(HostLibrary.IdOf(run, value), true)
        : value.IsBoolean ? new ScriptArgument(value.IsTrue, false)
        : new ScriptArgument(Operations.ToNumber(run, value), false);

    private static (string Id, string Name) Names(Run run, ReadOnlySpan<JsValue> arguments) =>
        (HostLibrary.IdOf(run, arguments.At(0)), Operations.ToText(run, arguments.At(1)));

    private static JsValue Series(Run run, ReadOnlySpan<JsValue> arguments)
    {
        (string id, string name) = Names(run, arguments);
        JsObject series = run.NewObject();
        RealmBuilder builder = new(run, run.Realm);
        run.ChargeBytes(1000);
        builder.Method(series, "append", 3, (inner, _, a) => Append(inner, id, name, a));
        builder.Method(series, "increment", 2, (inner, _, a) => Increment(inner, id, name, a));
        builder.Method(series, "delete", 2, (inner, _, a) =>
        {
            (DateTimeOffset from, DateTimeOffset to) = Range(inner, a);
            return HostLibrary.Ask(inner, host =>
            {
                host.DeleteTimeSeries(id, name, from, to);
                return JsValue.Undefined;
            });
        });
        builder.Method(series, "get", 2, (inner, _, a) => Get(inner, id, name, a));
        return new JsValue(series);
    }

    private static JsValue Append(Run run, string id, string name, ReadOnlySpan<JsValue> arguments)
    {
        DateTimeOffset time = Time(run, arguments.At(0));
        List<double> values = Values(run, arguments.At(1));
        string? tag = arguments.At(2).IsNullish ? null : Operations.ToText(run, arguments.At(2));
        return HostLibrary.Ask(run, host =>
        {
            host.AppendTimeSeries(id, name, time, [.. values], tag);
            return JsValue.Undefined;
        });
    }

    private static JsValue Increment(Run run, string id, string name, ReadOnlySpan<JsValue> arguments)
    {
        bool hasTime = !arguments.At(1).IsUndefined;
        DateTimeOffset? time = hasTime ? Time(run, arguments.At(0)) : null;
        List<double> values = Values(run, arguments.At(hasTime ? 1 : 0));
        return HostLibrary.Ask(run, host =>
        {
            host.IncrementTimeSeries(id, name, time, [.. values]);
            return JsValue.Undefined;
        });
    }

    private static List<double> Values(Run run, JsValue source)
    {
        if (source.AsObject is not { } list)
        {
            return [Value(run, source)];
        }

        List<double> values = [];
        for (long i = 0; i < Objects.LengthOf(run, list); i++)
        {
            run.Step();
            values.Add(Value(run, Objects.At(run, list, i)));
        }

        return values;
    }

    /// <summary>A number as it is: a text or a truth value that became one would be stored in silence.</summary>
    private static double Value(Run run, JsValue value) => value.IsNumber
        ? Operations.ToNumber(run, value)
        : throw run.TypeError("A value of a time series must be a number");

    private static JsValue Get(Run run, string id, string name, ReadOnlySpan<JsValue> arguments)
    {
        (DateTimeOffset from, DateTimeOffset to) = Range(run, arguments);
        JsArray result = run.NewArray();
        foreach (ScriptTimeSeriesEntry entry in HostLibrary.Ask(run, host => host.GetTimeSeries(id, name, from, to)))
        {
            run.Step();
            JsObject item = run.NewObject();
            string time = DateText.Stored(entry.Time.ToUnixTimeMilliseconds());
            item.PutOwn(run, "Timestamp", run.NewString(time));
            JsValue[] values = [.. entry.Values.Select(value => new JsValue(value))];
            item.PutOwn(run, "Values", new JsValue(run.NewArray(values, values.Length)));
            item.PutOwn(run, "Tag", entry.Tag is null ? JsValue.Null : run.NewString(entry.Tag));
            result.Add(run, new JsValue(item));
        }

        return new JsValue(result);
    }

    private static (DateTimeOffset From, DateTimeOffset To) Range(Run run, ReadOnlySpan<JsValue> arguments)
    {
        DateTimeOffset from = arguments.At(0).IsNullish ? DateTimeOffset.MinValue : Time(run, arguments[0]);
        DateTimeOffset to = arguments.At(1).IsNullish ? DateTimeOffset.MaxValue : Time(run, arguments[1]);
        return from <= to ? (from, to) : throw run.RangeError("The range ends before it begins");
    }

    private static DateTimeOffset Time(Run run, JsValue value)
    {
        double time = value.AsObject is JsDate date ? date.Time
            : value.IsString ? DateText.Parse(value.String.Flat) : Operations.ToNumber(run, value);
        return time is >= FirstTime and <= LastTime
            ? DateTimeOffset.FromUnixTimeMilliseconds((long)time)
            : throw run.RangeError("Invalid time value");
    }
}
