namespace Raven.Scripting.Runtime;

/// <summary>Anything that can be called.</summary>
internal abstract class JsFunction(JsObject? prototype) : JsObject(prototype, ObjectClass.Function)
{
    internal abstract JsValue Call(Run run, JsValue self, ReadOnlySpan<JsValue> arguments);

    internal virtual bool IsConstructor => false;

    /// <summary>
    /// Runs as the operand of <c>new</c>; <paramref name="newTarget"/> decides which prototype the object gets.
    /// </summary>
    internal virtual JsValue Construct(Run run, ReadOnlySpan<JsValue> arguments, JsObject newTarget) =>
        throw run.TypeError("This function is not a constructor");
}

/// <summary>A built-in function.</summary>
internal delegate JsValue NativeCall(Run run, JsValue self, ReadOnlySpan<JsValue> arguments);

/// <summary>The call of a built-in function behind <c>new</c>.</summary>
internal delegate JsValue NativeConstruct(Run run, ReadOnlySpan<JsValue> arguments, JsObject newTarget);

/// <summary>A function of the realm.</summary>
internal sealed class NativeFunction : JsFunction
{
    private readonly NativeCall _call;
    private readonly NativeConstruct? _construct;

    internal NativeFunction(
        Run run, JsObject prototype, string name, int length, NativeCall call, NativeConstruct? construct = null)
        : base(prototype)
    {
        _call = call;
        _construct = construct;
        Define(run, "length", new JsValue(length), PropertyFlags.Configurable);
        Define(run, "name", JsValue.Of(name), PropertyFlags.Configurable);
    }

    internal override bool IsConstructor => _construct is not null;

    internal override JsValue Call(Run run, JsValue self, ReadOnlySpan<JsValue> arguments) =>
        _call(run, self, arguments);

    internal override JsValue Construct(Run run, ReadOnlySpan<JsValue> arguments, JsObject newTarget) =>
        _construct is null ? base.Construct(run, arguments, newTarget) : _construct(run, arguments, newTarget);
}

/// <summary>The result of <c>bind</c>.</summary>
internal sealed class BoundFunction(JsFunction target, JsValue self, JsValue[] bound)
    : JsFunction(target.Prototype)
{
    internal JsFunction Target => target;

    internal override bool IsConstructor => target.IsConstructor;

    internal override JsValue Call(Run run, JsValue ignored, ReadOnlySpan<JsValue> arguments)
    {
        run.EnterCall();
        JsValue result = target.Call(run, self, Join(run, arguments));
        run.LeaveCall();
        return result;
    }

    internal override JsValue Construct(Run run, ReadOnlySpan<JsValue> arguments, JsObject newTarget)
    {
        run.EnterCall();
        JsValue result = target.Construct(run, Join(run, arguments), newTarget == this ? target : newTarget);
        run.LeaveCall();
        return result;
    }

    private JsValue[] Join(Run run, ReadOnlySpan<JsValue> arguments)
    {
        run.ChargeBytes(24 + (16 * (bound.Length + arguments.Length)));
        return [.. bound, .. arguments];
    }
}
