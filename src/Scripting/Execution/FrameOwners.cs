using System.Runtime.CompilerServices;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Execution;

/// <summary>
/// The owner of a frame: only functions and generators of a script have a frame, and only they set it.
/// </summary>
internal static class FrameOwners
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ScriptFunction FunctionOf(Frame frame) => Unsafe.As<ScriptFunction>(frame.Function);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static JsGenerator GeneratorOf(Frame frame) => Unsafe.As<JsGenerator>(frame.Generator!);
}
