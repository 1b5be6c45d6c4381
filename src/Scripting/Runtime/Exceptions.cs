using Raven.Scripting.Hosting;


namespace Raven.Scripting.Runtime;

/// <summary>
/// A value between <c>throw</c> and the nearest <c>catch</c>. Leaves a run as a <see cref="ScriptException"/>.
/// </summary>
internal sealed class ThrownException(JsValue value, int position) : Exception
{
    internal JsValue Value => value;

    internal int Position => position;
}

/// <summary>A limit was exceeded. Scripts cannot catch it.</summary>
internal sealed class LimitException(ScriptFailure failure, string message, int position) : Exception(message)
{
    internal ScriptFailure Failure => failure;

    internal int Position => position;
}
