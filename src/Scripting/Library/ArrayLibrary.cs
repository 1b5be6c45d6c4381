using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>
/// Array without the functions that take a callback (ECMA-262, 23.1). See <see cref="ArrayCallbacks"/>.
/// </summary>
internal static class ArrayLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        JsObject prototype = builder.Realm.ArrayPrototype;
        NativeFunction constructor = builder.Constructor(
            "Array", 1, prototype,
            (run, _, a) => new JsValue(Make(run, a)),
            (run, a, newTarget) =>
            {
                JsArray array = Make(run, a);
                array.Prototype = Objects.PrototypeFrom(run, newTarget, prototype);
                return new JsValue(array);
            });
        builder.Method(constructor, "isArray", 1, (_, _, a) =>
            JsValue.Of(Arrays.IsArray(a.At(0), out _)));
        builder.Method(constructor, "of", 0, (run, _, a) => new JsValue(run.NewArray(a.ToArray(), a.Length)));
        builder.Method(constructor, "from", 1, From);
        builder.Method(prototype, "push", 1, Push);
        builder.Method(prototype, "pop", 0, Pop);
        builder.Method(prototype, "shift", 0, (run, self, _) => Shift(run, self));
        builder.Method(prototype, "unshift", 1, Unshift);
        builder.Method(prototype, "slice", 2, Slice);
        builder.Method(prototype, "splice", 2, Splice);
        builder.Method(prototype, "concat", 1, Concat);
        builder.Method(prototype, "join", 1, (run, self, a) =>
            Join(run, Operations.ToObject(run, self), a.At(0).IsUndefined ? "," : Operations.ToText(run, a.At(0))));
        builder.Method(prototype, "toString", 0, (run, self, _) => Join(run, Operations.ToObject(run, self), ","));
        builder.Method(prototype, "toLocaleString", 0, (run, self, _) =>
            Join(run, Operations.ToObject(run, self), ","));
        builder.Method(prototype, "reverse", 0, Reverse);
        builder.Method(prototype, "indexOf", 1, (run, self, a) => IndexOf(run, self, a));
        builder.Method(prototype, "lastIndexOf", 1, LastIndexOf);
        builder.Method(prototype, "includes", 1, Includes);
        builder.Method(prototype, "fill", 1, Fill);
        builder.Method(prototype, "at", 1, (run, self, a) =>
        {
            JsObject target = Operations.ToObject(run, self);
            double index = Operations.ToInteger(run, a.At(0));
            long length = Objects.LengthOf(run, target);
            index = index < 0 ? length + index : index;
            return index < 0 || index >= length ? JsValue.Undefined : Objects.At(run, target, (long)index);
        });
        builder.Method(prototype, "copyWithin", 2, CopyWithin);
        builder.Method(prototype, "flat", 0, (run, self, a) =>
        {
            double depth = a.At(0).IsUndefined ? 1 : Operations.ToInteger(run, a.At(0));
            JsArray result = Arrays.NewLike(run, Operations.ToObject(run, self), 0);
            Flatten(run, result, Operations.ToObject(run, self), depth);
            return new JsValue(result);
        });
    }

    private static JsArray Make(Run run, ReadOnlySpan<JsValue> arguments)
    {
        if (arguments.Length != 1 || !arguments[0].IsNumber)
        {
            run.ChargeSteps(arguments.Length / 16);
            return run.NewArray(arguments.ToArray(), arguments.Length);
        }

        JsArray array = run.NewArray();
        array.TrySetLength(run, JsArray.ToLength(run, arguments[0]));
        return array;
    }

    private static JsValue From(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsValue source = arguments.At(0);
        JsFunction? map = arguments.At(1).IsUndefined ? null : Objects.Callable(run, arguments[1]);
        JsValue mapSelf = arguments.At(2);
        JsArray result = run.NewArray();
        bool iterable = !source.IsNullish && !run.GetProperty(source, JsSymbol.Iterator).IsNullish;
        if (iterable)
        {
            ValueIterator iterator = ValueIterator.Open(run, source);
            while (iterator.MoveNext(run, out JsValue item))
            {
                run.Step();
                result.Add(run, map is null ? item : run.Call(map, mapSelf, [item, new JsValue(result.Count)]));
            }

            return new JsValue(result);
        }

        JsObject list = Operations.ToObject(run, source);
        long length = Objects.LengthOf(run, list);
        run.CheckArrayLength(length);
        for (long i = 0; i < length; i++)
        {
            run.Step();
            JsValue item = Objects.At(run, list, i);
            result.Add(run, map is null ? item : run.Call(map, mapSelf, [item, new JsValue(i)]));
        }

        return new JsValue(result);
    }

    private static JsValue Push(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        if (self.AsObject is JsArray array)
        {
            foreach (JsValue value in arguments)
            {
                if (!array.TryPush(run, value))
                {
                    throw run.TypeError("Cannot add property, object is not extensible");
                }
            }

            return new JsValue(array.Count);
        }

        JsObject target = Operations.ToObject(run, self);
        if (target is Documents.DocumentArray document)
        {
            foreach (JsValue value in arguments)
            {
                document.Push(run, value);
            }

            return new JsValue(document.Count);
        }

        long length = Objects.LengthOf(run, target);
        foreach (JsValue value in arguments)
        {
            Objects.Put(run, target, Objects.KeyOf(length++), value);
        }

        Objects.Put(run, target, "length", new JsValue(length));
        return new JsValue(length);
    }

    private static JsValue Pop(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        if (target is JsArray array)
        {
            return array.TryPop(out JsValue last)
                ? last : throw run.TypeError("Cannot delete property of a frozen array");
        }

        long length = Objects.LengthOf(run, target);
        JsValue value = length == 0 ? JsValue.Undefined : Objects.At(run, target, length - 1);
        if (length > 0)
        {
            target.Delete(run, Objects.KeyOf(length - 1));
        }

        Objects.Put(run, target, "length", new JsValue(Math.Max(0, length - 1)));
        return value;
    }

    private static JsArray Mutable(Run run, JsValue self) =>
        self.AsObject switch
        {
            JsArray array => array,
            Documents.DocumentArray document => document.Materialize(run),
            _ => throw run.TypeError("This function changes arrays only"),
        };

    private static JsValue Shift(Run run, JsValue self)
    {
        JsArray array = Mutable(run, self);
        if (array.Count == 0)
        {
            return JsValue.Undefined;
        }

        JsValue first = array.GetIndex(run, 0);
        return array.TrySplice(run, 0, 1, []) ? first : throw run.TypeError("Cannot change a frozen array");
    }

    private static JsValue Unshift(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsArray array = Mutable(run, self);
        return array.TrySplice(run, 0, 0, arguments) ? new JsValue(array.Count)
            : throw run.TypeError("Cannot change a frozen array");
    }

    private static JsValue Splice(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsArray array = Mutable(run, self);
        double asked = arguments.Length switch
        {
            0 => 0,
            1 => array.Count,
            _ => Operations.ToInteger(run, arguments[1]),
        };
        JsArray removed = Arrays.NewLike(run, array, 0);

        // Conversions run the script's code, which may have changed the array: its current length counts from here on.
        int start = Math.Min(Operations.ToRelative(run, arguments.At(0), array.Count, 0), array.Count);
        int deleted = (int)Math.Clamp(asked, 0, array.Count - start);
        foreach (JsValue value in array.Items.Slice(start, deleted))
        {
            removed.Add(run, value);
        }

        run.ChargeSteps(deleted / 16);
        return array.TrySplice(run, start, deleted, arguments.Length > 2 ? arguments[2..] : [])
            ? new JsValue(removed) : throw run.TypeError("Cannot change a frozen array");
    }

    private static JsValue Slice(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        int length = (int)Math.Min(Objects.LengthOf(run, target), int.MaxValue);
        int start = Operations.ToRelative(run, arguments.At(0), length, 0);
        int end = Operations.ToRelative(run, arguments.At(1), length, length);
        int count = Math.Max(0, end - start);
        JsArray result = Arrays.NewLike(run, target, count);
        run.ChargeSteps(count / 16);
        if (target is JsArray array)
        {
            count = Math.Max(0, Math.Min(count, array.Count - start));
            foreach (JsValue value in array.Items.Slice(Math.Min(start, array.Count), count))
            {
                result.Add(run, value);
            }

            return new JsValue(result);
        }

        for (int i = start; i < end; i++)
        {
            run.Step();
            result.Add(run, Objects.At(run, target, i));
        }

        return new JsValue(result);
    }

    private static JsValue Concat(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsArray result = Arrays.NewLike(run, Operations.ToObject(run, self), 0);
        Append(run, result, new JsValue(Operations.ToObject(run, self)));
        foreach (JsValue value in arguments)
        {
            Append(run, result, value);
        }

        return new JsValue(result);
    }

    private static void Append(Run run, JsArray result, JsValue value)
    {
        if (value.AsObject is JsArray { Class: ObjectClass.Array } array)
        {
            run.ChargeSteps(array.Count / 16);
            for (int i = 0; i < array.Count; i++)
            {
                result.Add(run, array.Items[i]);
            }
        }
        else if (value.AsObject is Documents.DocumentArray document)
        {
            for (long i = 0; i < Objects.LengthOf(run, document); i++)
            {
                run.Step();
                result.Add(run, document.GetIndex(run, (uint)i));
            }
        }
        else
        {
            result.Add(run, value);
        }
    }

    /// <summary>The elements as text. An array inside of itself is joined as an empty text.</summary>
    private static JsValue Join(Run run, JsObject target, string separator)
    {
        run.EnterCall();
        List<JsObject> joining = run.Joining;
        if (joining.Contains(target))
        {
            run.LeaveCall();
            return new JsValue(JsString.Empty);
        }

        joining.Add(target);
        JsString text;
        try
        {
            text = JoinElements(run, target, separator);
        }
        finally
        {
            joining.RemoveAt(joining.Count - 1);
        }

        run.LeaveCall();
        return new JsValue(text);
    }

    private static JsString JoinElements(Run run, JsObject target, string separator)
    {
        long length = Objects.LengthOf(run, target);
        TextBuilder text = new(run);
        for (long i = 0; i < length; i++)
        {
            run.Step();
            if (i > 0)
            {
                text.Append(separator);
            }

            JsValue item = Objects.At(run, target, i);
            if (!item.IsNullish)
            {
                text.Append(Operations.ToText(run, item));
            }
        }

        return text.ToJsString();
    }

    private static JsValue Reverse(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsArray array = Mutable(run, self);
        if (array.IsFrozen)
        {
            throw run.TypeError("Cannot change a frozen array");
        }

        run.ChargeSteps(array.Count / 16);
        array.Items.Reverse();
        return self;
    }

    private static JsValue IndexOf(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        int length = (int)Math.Min(Objects.LengthOf(run, target), int.MaxValue);
        int start = Operations.ToRelative(run, arguments.At(1), length, 0);
        JsValue wanted = arguments.At(0);
        for (int i = start; i < length; i++)
        {
            run.Step();
            if (target is JsArray array && (i >= array.Count || array.Items[i].IsEmpty))
            {
                continue;
            }

            if (Operations.StrictEquals(run, Objects.At(run, target, i), wanted))
            {
                return new JsValue(i);
            }
        }

        return new JsValue(-1);
    }

    private static JsValue LastIndexOf(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        long length = Objects.LengthOf(run, target);
        double from = arguments.Length > 1 ? Operations.ToInteger(run, arguments[1]) : length - 1;
        from = from < 0 ? length + from : Math.Min(from, length - 1);
        for (long i = (long)from; i >= 0; i--)
        {
            run.Step();
            if (!(target is JsArray array && (i >= array.Count || array.Items[(int)i].IsEmpty))
                && Operations.StrictEquals(run, Objects.At(run, target, i), arguments.At(0)))
            {
                return new JsValue(i);
            }
        }

        return new JsValue(-1);
    }

    private static JsValue Includes(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        int length = (int)Math.Min(Objects.LengthOf(run, target), int.MaxValue);
        for (int i = Operations.ToRelative(run, arguments.At(1), length, 0); i < length; i++)
        {
            run.Step();
            JsValue item = Objects.At(run, target, i);
            Operations.ChargeComparison(run, item, arguments.At(0));
            if (Operations.SameValueZero(item, arguments.At(0)))
            {
                return JsValue.True;
            }
        }

        return JsValue.False;
    }

    private static JsValue Fill(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsObject target = Operations.ToObject(run, self);
        int length = (int)Math.Min(Objects.LengthOf(run, target), int.MaxValue);
        int end = Operations.ToRelative(run, arguments.At(2), length, length);
        for (int i = Operations.ToRelative(run, arguments.At(1), length, 0); i < end; i++)
        {
            run.Step();
            Objects.Put(run, target, PropertyKeys.OfIndex((uint)i), arguments.At(0));
        }

        return new JsValue(target);
    }

    private static JsValue CopyWithin(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        JsArray array = Mutable(run, self);
        int to = Operations.ToRelative(run, arguments.At(0), array.Count, 0);
        int from = Operations.ToRelative(run, arguments.At(1), array.Count, 0);
        int end = Operations.ToRelative(run, arguments.At(2), array.Count, array.Count);
        (to, from) = (Math.Min(to, array.Count), Math.Min(from, array.Count));
        int count = Math.Clamp(end - from, 0, array.Count - Math.Max(to, from));
        if (array.IsFrozen)
        {
            throw run.TypeError("Cannot change a frozen array");
        }

        run.ChargeSteps(count / 16);
        array.Items.Slice(from, count).CopyTo(array.Items[to..]);
        return self;
    }

    private static void Flatten(Run run, JsArray result, JsObject source, double depth)
    {
        run.CheckStack();
        long length = Objects.LengthOf(run, source);
        for (long i = 0; i < length; i++)
        {
            run.Step();
            JsValue item = source is JsArray array
                && i < array.Count ? array.Items[(int)i] : Objects.At(run, source, i);
            if (depth >= 1 && Arrays.IsArray(item, out JsObject? inner))
            {
                Flatten(run, result, inner, depth - 1);
            }
            else if (!item.IsEmpty)
            {
                result.Add(run, item);
            }
        }
    }
}
