using Raven.Scripting.Runtime;


namespace Raven.Scripting.Library;

/// <summary>A time: milliseconds since 1970, NaN if it is invalid.</summary>
internal sealed class JsDate(JsObject prototype, double time) : JsObject(prototype, ObjectClass.Date)
{
    internal double Time { get; set; } = time;

    /// <summary>Whether the script has not replaced its conversion to JSON.</summary>
    internal bool IsPlain(Run run) => IsBuiltIn(run, "toJSON") && IsBuiltIn(run, "toISOString");

    private bool IsBuiltIn(Run run, string method) =>
        ReferenceEquals(Get(run, method).AsFunction, run.Realm.DatePrototype.Get(run, method).AsFunction);
}

/// <summary>Date (ECMA-262, 21.4). The local time of a server's scripts is UTC.</summary>
internal static class DateLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.DatePrototype;
        NativeFunction constructor = builder.Constructor(
            "Date", 7, prototype,
            (run, _, _) => run.NewString(DateText.Full(Now(run))),
            (run, a, newTarget) =>
            {
                run.ChargeBytes(100);
                return new JsValue(new JsDate(Objects.PrototypeFrom(run, newTarget, prototype), FromArguments(run, a)));
            });
        builder.Method(constructor, "now", 0, (run, _, _) => new JsValue(Now(run)));
        builder.Method(constructor, "UTC", 7, (run, _, a) => new JsValue(DateMath.Clip(FromParts(run, a))));
        builder.Method(constructor, "parse", 1, (run, _, a) =>
            new JsValue(Parse(run, Operations.ToJsString(run, a.At(0)))));
        BuildGetters(builder, prototype);
        BuildSetters(builder, prototype);
        BuildTexts(builder, prototype);
    }

    private static readonly string[] TextFirst = ["toString", "valueOf"];

    private static readonly string[] NumberFirst = ["valueOf", "toString"];

    private static double Now(Run run) => run.Clock.GetUtcNow().ToUnixTimeMilliseconds();

    private static double FromArguments(Run run, ReadOnlySpan<JsValue> arguments)
    {
        if (arguments.Length == 0)
        {
            return Now(run);
        }

        if (arguments.Length > 1)
        {
            return DateMath.Clip(FromParts(run, arguments));
        }

        if (arguments[0].AsObject is JsDate other)
        {
            return other.Time;
        }

        JsValue value = Operations.ToPrimitive(run, arguments[0]);
        return value.IsString ? Parse(run, value.String) : DateMath.Clip(Operations.ToNumber(run, value));
    }

    private static double Parse(Run run, JsString text)
    {
        run.ChargeText(text.Length);
        return DateText.Parse(text.Flat);
    }

    private static double FromParts(Run run, ReadOnlySpan<JsValue> arguments)
    {
        Span<double> parts = [double.NaN, 0, 1, 0, 0, 0, 0];
        for (int i = 0; i < Math.Min(parts.Length, arguments.Length); i++)
        {
            parts[i] = Operations.ToNumber(run, arguments[i]);
        }

        double year = double.IsNaN(parts[0]) ? parts[0] : Math.Truncate(parts[0]);
        year = year is >= 0 and <= 99 ? 1900 + year : year;
        return DateMath.Make(DateMath.Day(year, parts[1], parts[2]), DateMath.Time(
            parts[3], parts[4], parts[5], parts[6]));
    }

    private static JsDate This(Run run, JsValue self) =>
        self.AsObject as JsDate ?? throw run.TypeError("this is not a Date object.");

    private static void BuildGetters(RealmBuilder builder, JsObject prototype)
    {
        foreach ((string name, DatePart part) in new[]
        {
            ("FullYear", DatePart.Year), ("Month", DatePart.Month), ("Date", DatePart.Day), ("Day", DatePart.WeekDay),
            ("Hours", DatePart.Hour), ("Minutes", DatePart.Minute), ("Seconds", DatePart.Second),
            ("Milliseconds", DatePart.Millisecond),
        })
        {
            NativeCall get = (run, self, _) => new JsValue(DateMath.Get(This(run, self).Time, part));
            builder.Method(prototype, "get" + name, 0, get);
            builder.Method(prototype, "getUTC" + name, 0, get);
        }

        builder.Method(prototype, "getTime", 0, (run, self, _) => new JsValue(This(run, self).Time));
        builder.Method(prototype, "valueOf", 0, (run, self, _) => new JsValue(This(run, self).Time));
        builder.Method(prototype, "getYear", 0, (run, self, _) =>
            new JsValue(DateMath.Get(This(run, self).Time, DatePart.Year) - 1900));
        builder.Method(prototype, "getTimezoneOffset", 0, (run, self, _) =>
            new JsValue(double.IsNaN(This(run, self).Time) ? double.NaN : 0));
        builder.Method(prototype, JsSymbol.ToPrimitive, 1, (run, self, a) =>
        {
            JsObject target = self.AsObject ?? throw run.TypeError("The receiver is not an object");
            bool text = a.At(0).Text is "string" or "default";
            foreach (string name in text ? TextFirst : NumberFirst)
            {
                JsValue result = target.Get(run, name).AsFunction is { } function
                    ? function.Call(run, self, []) : self;
                if (!result.IsObject)
                {
                    return result;
                }
            }

            throw run.TypeError("Cannot convert object to primitive value");
        });
    }

    private static void BuildSetters(RealmBuilder builder, JsObject prototype)
    {
        foreach ((string name, DatePart first, int count) in new[]
        {
            ("FullYear", DatePart.Year, 3), ("Month", DatePart.Month, 2), ("Date", DatePart.Day, 1),
            ("Hours", DatePart.Hour, 4), ("Minutes", DatePart.Minute, 3), ("Seconds", DatePart.Second, 2),
            ("Milliseconds", DatePart.Millisecond, 1),
        })
        {
            NativeCall set = (run, self, a) => Set(run, This(run, self), first, count, a);
            builder.Method(prototype, "set" + name, count, set);
            builder.Method(prototype, "setUTC" + name, count, set);
        }

        builder.Method(prototype, "setTime", 1, (run, self, a) =>
            new JsValue(This(run, self).Time = DateMath.Clip(Operations.ToNumber(run, a.At(0)))));
    }

    private static JsValue Set(Run run, JsDate date, DatePart first, int count, ReadOnlySpan<JsValue> arguments)
    {
        double time = date.Time;
        bool wasInvalid = double.IsNaN(time);
        time = wasInvalid ? 0 : time;
        Span<double> parts = stackalloc double[7];
        for (int i = 0; i < parts.Length; i++)
        {
            parts[i] = DateMath.Get(time, (DatePart)i);
        }

        int given = Math.Max(1, Math.Min(count, arguments.Length));
        for (int i = 0; i < given; i++)
        {
            parts[(int)first + i] = Operations.ToNumber(run, arguments.At(i));
        }

        if (wasInvalid && first != DatePart.Year)
        {
            return JsValue.NaN;
        }

        date.Time = DateMath.Clip(DateMath.Make(
            DateMath.Day(parts[0], parts[1], parts[2]), DateMath.Time(parts[3], parts[4], parts[5], parts[6])));
        return new JsValue(date.Time);
    }

    private static void BuildTexts(RealmBuilder builder, JsObject prototype)
    {
        foreach ((string name, Func<double, string> format) in new (string, Func<double, string>)[]
        {
            ("toString", DateText.Full), ("toDateString", DateText.DayOnly), ("toTimeString", DateText.TimeOnly),
            ("toUTCString", DateText.Utc), ("toGMTString", DateText.Utc),
            ("toLocaleString", DateText.Locale), ("toLocaleDateString", DateText.LocaleDay),
            ("toLocaleTimeString", DateText.LocaleTime),
        })
        {
            builder.Method(prototype, name, 0, (run, self, _) =>
            {
                double time = This(run, self).Time;
                return run.NewString(double.IsNaN(time) ? "Invalid Date" : format(time));
            });
        }

        builder.Method(prototype, "toISOString", 0, (run, self, _) =>
        {
            double time = This(run, self).Time;
            return double.IsNaN(time) ? throw run.RangeError("Invalid time value") : run.NewString(DateText.Iso(time));
        });
        builder.Method(prototype, "toJSON", 1, (run, self, _) =>
        {
            JsValue primitive = Operations.ToPrimitive(run, self, PrimitiveHint.Number);
            return primitive.IsNumber && !double.IsFinite(primitive.Number) ? JsValue.Null
                : run.Invoke(self, "toISOString", []);
        });
    }
}
