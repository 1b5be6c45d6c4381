using Raven.Scripting.Execution;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Library;

/// <summary>The iterators of arrays and strings, and generators (ECMA-262, 27).</summary>
internal static class IteratorLibrary
{
    internal static void Build(RealmBuilder builder)
    {
        Realm realm = builder.Realm;
        builder.Method(realm.IteratorPrototype, JsSymbol.Iterator, 0, (_, self, _) => self);
        builder.Method(realm.NativeIteratorPrototype, "next", 0, (run, self, _) =>
            (self.AsObject as NativeIterator ?? throw run.TypeError("The receiver is not an iterator")).Next(run));
        builder.Method(realm.GeneratorPrototype, "next", 1, (run, self, a) =>
            Generator(run, self).Resume(run, ResumeMode.Next, a.At(0)));
        builder.Method(realm.GeneratorPrototype, "return", 1, (run, self, a) =>
            Generator(run, self).Resume(run, ResumeMode.Return, a.At(0)));
        builder.Method(realm.GeneratorPrototype, "throw", 1, (run, self, a) =>
            Generator(run, self).Resume(run, ResumeMode.Throw, a.At(0)));
        builder.Tag(realm.GeneratorPrototype, "Generator");
        builder.Tag(realm.GeneratorFunctionPrototype, "GeneratorFunction");
        JsObject array = realm.ArrayPrototype;
        NativeFunction values = builder.Function("values", 0, (run, self, _) =>
            ArrayIterator(run, self, (_, _, item) => item));
        array.Define(builder.Run, "values", new JsValue(values), PropertyFlags.Hidden);
        array.Define(builder.Run, JsSymbol.Iterator, new JsValue(values), PropertyFlags.Hidden);
        builder.Method(array, "keys", 0, (run, self, _) =>
            ArrayIterator(run, self, (_, index, _) => new JsValue(index)));
        builder.Method(array, "entries", 0, (run, self, _) =>
            ArrayIterator(run, self, (inner, index, item) => ObjectLibrary.Pair(inner, new JsValue(index), item)));
    }

    private static JsGenerator Generator(Run run, JsValue self) =>
        self.AsObject as JsGenerator ?? throw run.TypeError("The receiver is not a generator");

    private static JsValue ArrayIterator(Run run, JsValue self, Func<Run, long, JsValue, JsValue> select)
    {
        JsObject target = Operations.ToObject(run, self);
        long index = 0;
        bool done = false;
        return NativeIterator.Make(run, run.Realm.ArrayIteratorPrototype, (Run inner, out JsValue value) =>
        {
            value = JsValue.Undefined;
            done = done || index >= Objects.LengthOf(inner, target);
            if (!done)
            {
                value = select(inner, index, Objects.At(inner, target, index));
                index++;
            }

            return !done;
        });
    }
}

/// <summary>An iterator of the library. Its state is a closure, and ends with its run.</summary>
internal sealed class NativeIterator : JsObject
{
    internal delegate bool Step(Run run, out JsValue value);

    private readonly Step _step;
    private bool _done;

    private NativeIterator(JsObject prototype, Step step)
        : base(prototype, ObjectClass.Iterator)
    {
        _step = step;
    }

    internal static JsValue Make(Run run, JsObject prototype, Step step)
    {
        run.ChargeBytes(250);
        return new JsValue(new NativeIterator(prototype, step));
    }

    internal static JsValue Over(Run run, JsObject prototype, ValueIterator values) =>
        Make(run, prototype, (Run inner, out JsValue value) => values.MoveNext(inner, out value));

    internal JsValue Next(Run run)
    {
        run.Step();
        if (!_done && _step(run, out JsValue value))
        {
            return JsGenerator.Result(run, value, done: false);
        }

        _done = true;
        return JsGenerator.Result(run, JsValue.Undefined, done: true);
    }
}
