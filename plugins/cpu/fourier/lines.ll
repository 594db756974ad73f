; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources d63b47a74721e45f2f346c2790333247c88aba2f736f000720696ae56ca19011

%struct.Complex_f32 = type { <8 x float>, <8 x float> }
%struct.Complex_f64 = type { <4 x double>, <4 x double> }

define void @transform_f32(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [4 x ptr], align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %11, 1
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %18 ], [ 0, %4 ]
  %15 = getelementptr inbounds i32, ptr %9, i64 %14
  %16 = atomicrmw xchg ptr %15, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %24, label %18

18:
  %19 = add i64 %14, 1
  %20 = load i64, ptr %10, align 8
  %21 = icmp slt i64 %19, %20
  %22 = select i1 %21, i64 %19, i64 0
  %23 = icmp sgt i64 %20, 1
  br i1 %23, label %13, label %24

24:
  %25 = phi i64 [ 0, %4 ], [ %22, %18 ], [ %14, %13 ]
  %26 = load ptr, ptr %0, align 8
  store ptr %26, ptr %5, align 16
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = load ptr, ptr %28, align 8
  store ptr %29, ptr %27, align 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %25
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  store ptr %36, ptr %30, align 16
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %25
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store ptr %43, ptr %37, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %47 = load i64, ptr %46, align 8
  %48 = mul i64 %47, %25
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = icmp slt i64 %1, %2
  br i1 %50, label %51, label %54

51:
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %7, i64 48
  br label %57

54:
  %55 = load i64, ptr %10, align 8
  %56 = icmp sgt i64 %55, 1
  br i1 %56, label %108, label %110

57:
  %58 = phi i64 [ %1, %51 ], [ %106, %105 ]
  %59 = load i64, ptr %52, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %64

61:
  %62 = load i64, ptr %7, align 8
  %63 = icmp sgt i64 %62, 0
  br i1 %63, label %68, label %105

64:
  %65 = load ptr, ptr %53, align 8
  %66 = sdiv i64 %58, %59
  %67 = srem i64 %58, %59
  call fastcc void @step_f32(ptr %65, i64 %66, i64 %67, ptr %5, ptr %49)
  br label %105

68:
  %69 = phi i64 [ %97, %96 ], [ %62, %61 ]
  %70 = phi i64 [ %98, %96 ], [ 0, %61 ]
  %71 = getelementptr inbounds nuw ptr, ptr %53, i64 %70
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load i64, ptr %73, align 8
  %75 = load i64, ptr %72, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = shl i64 %82, 3
  %84 = sdiv i64 %80, %83
  br label %89

85:
  %86 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %87 = load i64, ptr %86, align 8
  %88 = sdiv i64 %87, 512
  br label %89

89:
  %90 = phi i64 [ %84, %77 ], [ %88, %85 ]
  %91 = add i64 %90, 1
  %92 = mul i64 %91, %74
  %93 = icmp sgt i64 %92, 0
  br i1 %93, label %100, label %96

94:
  %95 = load i64, ptr %7, align 8
  br label %96

96:
  %97 = phi i64 [ %95, %94 ], [ %69, %89 ]
  %98 = add nuw nsw i64 %70, 1
  %99 = icmp slt i64 %98, %97
  br i1 %99, label %68, label %105

100:
  %101 = phi i64 [ %103, %100 ], [ 0, %89 ]
  %102 = load ptr, ptr %71, align 8
  call fastcc void @step_f32(ptr %102, i64 %58, i64 %101, ptr %5, ptr %49)
  %103 = add nuw nsw i64 %101, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %94, label %100

105:
  %106 = add nsw i64 %58, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %54, label %57

108:
  %109 = getelementptr inbounds i32, ptr %9, i64 %25
  store atomic i32 0, ptr %109 release, align 4
  br label %110

110:
  ret void
}

define internal fastcc void @step_f32(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) nounwind {
  %6 = alloca [8 x %struct.Complex_f32], align 32
  %7 = alloca [8 x %struct.Complex_f32], align 32
  %8 = alloca [32 x i64], align 16
  %9 = alloca [32 x i64], align 16
  %10 = load i64, ptr %0, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %20

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, -1
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %17 = load i64, ptr %16, align 8
  %18 = shl i64 %17, 3
  %19 = sdiv i64 %15, %18
  br label %24

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = sdiv i64 %22, 512
  br label %24

24:
  %25 = phi i64 [ %19, %12 ], [ %23, %20 ]
  %26 = add i64 %25, 1
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %28 = load i64, ptr %27, align 8
  %29 = icmp eq i64 %28, 1
  br i1 %29, label %32, label %30

30:
  %31 = sdiv i64 %2, %26
  br label %32

32:
  %33 = phi i64 [ %31, %30 ], [ 0, %24 ]
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds ptr, ptr %3, i64 %35
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %39 = load i64, ptr %38, align 8
  %40 = mul i64 %39, %1
  %41 = getelementptr inbounds float, ptr %37, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %43 = load i64, ptr %42, align 8
  %44 = mul i64 %43, %33
  %45 = getelementptr inbounds float, ptr %41, i64 %44
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds ptr, ptr %3, i64 %47
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %51 = load i64, ptr %50, align 8
  %52 = mul i64 %51, %1
  %53 = getelementptr inbounds float, ptr %49, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %55 = load i64, ptr %54, align 8
  %56 = mul i64 %55, %33
  %57 = getelementptr inbounds float, ptr %53, i64 %56
  %58 = mul i64 %33, %26
  %59 = sub i64 %2, %58
  br i1 %11, label %60, label %1846

60:
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %62 = load i64, ptr %61, align 8
  %63 = shl i64 %62, 3
  %64 = mul i64 %63, %59
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %66 = load i64, ptr %65, align 8
  %67 = sub i64 %66, %64
  %68 = tail call i64 @llvm.smin.i64(i64 %63, i64 %67)
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %70 = load i64, ptr %69, align 8
  %71 = icmp sgt i64 %63, 0
  br i1 %71, label %72, label %87

72:
  %73 = sdiv i64 %64, %70
  %74 = mul i64 %73, %70
  %75 = srem i64 %64, %70
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %81 = load i64, ptr %80, align 8
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %83 = load i64, ptr %82, align 8
  %84 = add i64 %68, -1
  br label %381

85:
  %86 = load i64, ptr %8, align 16
  br label %87

87:
  %88 = phi i64 [ %86, %85 ], [ undef, %60 ]
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %98 = load i64, ptr %97, align 8
  %99 = icmp eq i64 %98, 0
  %100 = add i64 %63, -1
  %101 = getelementptr inbounds i64, ptr %8, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = sub i64 %102, %88
  %104 = icmp sle i64 %63, %67
  %105 = icmp eq i64 %96, 1
  %106 = select i1 %104, i1 %105, i1 false
  br i1 %106, label %107, label %143

107:
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %109 = load i64, ptr %108, align 8
  %110 = icmp eq i64 %109, 2
  %111 = shl i64 %100, 1
  %112 = icmp eq i64 %103, %111
  %113 = select i1 %110, i1 %112, i1 false
  br i1 %113, label %114, label %179

114:
  %115 = icmp sgt i64 %90, 0
  br i1 %115, label %116, label %367

116:
  %117 = getelementptr inbounds float, ptr %45, i64 %88
  %118 = icmp sgt i64 %62, 0
  br label %119

119:
  %120 = phi ptr [ %117, %116 ], [ %125, %123 ]
  %121 = phi i64 [ 0, %116 ], [ %124, %123 ]
  %122 = getelementptr %struct.Complex_f32, ptr %4, i64 %121
  br i1 %118, label %127, label %123

123:
  %124 = add nuw nsw i64 %121, 1
  %125 = getelementptr inbounds float, ptr %120, i64 %94
  %126 = icmp eq i64 %124, %90
  br i1 %126, label %367, label %119

127:
  %128 = phi i64 [ %141, %127 ], [ 0, %119 ]
  %129 = mul i64 %128, %92
  %130 = getelementptr %struct.Complex_f32, ptr %122, i64 %129
  %131 = shl i64 %128, 6
  %132 = getelementptr inbounds i8, ptr %120, i64 %131
  %133 = load <8 x float>, ptr %132, align 4
  %134 = getelementptr inbounds nuw i8, ptr %132, i64 32
  %135 = load <8 x float>, ptr %134, align 4
  %136 = shufflevector <8 x float> %133, <8 x float> %135, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %137 = shufflevector <8 x float> %133, <8 x float> %135, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %138 = select i1 %99, <8 x float> %136, <8 x float> %137
  %139 = select i1 %99, <8 x float> %137, <8 x float> %136
  store <8 x float> %138, ptr %130, align 32
  %140 = getelementptr inbounds nuw i8, ptr %130, i64 32
  store <8 x float> %139, ptr %140, align 32
  %141 = add nuw nsw i64 %128, 1
  %142 = icmp eq i64 %141, %62
  br i1 %142, label %123, label %127

143:
  %144 = icmp ne i64 %96, 1
  %145 = select i1 %104, i1 %144, i1 false
  br i1 %145, label %146, label %179

146:
  %147 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %148 = load i64, ptr %147, align 8
  %149 = icmp eq i64 %148, 1
  %150 = icmp eq i64 %103, %100
  %151 = select i1 %149, i1 %150, i1 false
  br i1 %151, label %152, label %179

152:
  %153 = icmp sgt i64 %90, 0
  br i1 %153, label %154, label %367

154:
  %155 = getelementptr inbounds float, ptr %45, i64 %88
  %156 = icmp sgt i64 %62, 0
  br label %157

157:
  %158 = phi ptr [ %155, %154 ], [ %163, %161 ]
  %159 = phi i64 [ 0, %154 ], [ %162, %161 ]
  %160 = getelementptr %struct.Complex_f32, ptr %4, i64 %159
  br i1 %156, label %165, label %161

161:
  %162 = add nuw nsw i64 %159, 1
  %163 = getelementptr inbounds float, ptr %158, i64 %94
  %164 = icmp eq i64 %162, %90
  br i1 %164, label %367, label %157

165:
  %166 = phi i64 [ %177, %165 ], [ 0, %157 ]
  %167 = shl i64 %166, 5
  %168 = getelementptr inbounds i8, ptr %158, i64 %167
  %169 = mul i64 %166, %92
  %170 = getelementptr %struct.Complex_f32, ptr %160, i64 %169
  %171 = load <8 x float>, ptr %168, align 4
  %172 = getelementptr inbounds float, ptr %168, i64 %96
  %173 = load <8 x float>, ptr %172, align 4
  %174 = select i1 %99, <8 x float> %171, <8 x float> %173
  %175 = select i1 %99, <8 x float> %173, <8 x float> %171
  store <8 x float> %174, ptr %170, align 32
  %176 = getelementptr inbounds nuw i8, ptr %170, i64 32
  store <8 x float> %175, ptr %176, align 32
  %177 = add nuw nsw i64 %166, 1
  %178 = icmp eq i64 %177, %62
  br i1 %178, label %161, label %165

179:
  %180 = icmp sgt i64 %68, 0
  br i1 %180, label %181, label %405

181:
  %182 = icmp ne i64 %94, 2
  %183 = xor i1 %105, true
  %184 = select i1 %183, i1 true, i1 %182
  %185 = icmp slt i64 %90, 4
  %186 = select i1 %184, i1 true, i1 %185
  %187 = select i1 %99, i64 0, i64 8
  %188 = select i1 %99, i64 8, i64 0
  %189 = select i1 %99, i64 1, i64 9
  %190 = select i1 %99, i64 9, i64 1
  %191 = select i1 %99, i64 2, i64 10
  %192 = select i1 %99, i64 10, i64 2
  %193 = select i1 %99, i64 3, i64 11
  %194 = select i1 %99, i64 11, i64 3
  %195 = select i1 %99, i64 4, i64 12
  %196 = select i1 %99, i64 12, i64 4
  %197 = select i1 %99, i64 5, i64 13
  %198 = select i1 %99, i64 13, i64 5
  %199 = select i1 %99, i64 6, i64 14
  %200 = select i1 %99, i64 14, i64 6
  %201 = select i1 %99, i64 7, i64 15
  %202 = select i1 %99, i64 15, i64 7
  %203 = add nsw i64 %68, -1
  %204 = lshr i64 %203, 3
  br label %205

205:
  %206 = phi ptr [ %8, %181 ], [ %364, %362 ]
  %207 = phi i64 [ 0, %181 ], [ %363, %362 ]
  %208 = phi ptr [ %4, %181 ], [ %365, %362 ]
  br i1 %186, label %288, label %209

209:
  %210 = getelementptr inbounds nuw i8, ptr %206, i64 32
  %211 = getelementptr inbounds nuw i8, ptr %206, i64 40
  %212 = getelementptr inbounds nuw i8, ptr %206, i64 48
  %213 = getelementptr inbounds nuw i8, ptr %206, i64 56
  %214 = getelementptr inbounds nuw i8, ptr %206, i64 16
  %215 = getelementptr inbounds nuw i8, ptr %206, i64 24
  %216 = getelementptr inbounds nuw i8, ptr %206, i64 8
  %217 = load i64, ptr %210, align 8
  %218 = load i64, ptr %211, align 8
  %219 = load i64, ptr %212, align 8
  %220 = load i64, ptr %213, align 8
  %221 = load i64, ptr %214, align 8
  %222 = load i64, ptr %215, align 8
  %223 = load i64, ptr %216, align 8
  %224 = load i64, ptr %206, align 8
  br label %225

225:
  %226 = phi i64 [ %286, %225 ], [ 4, %209 ]
  %227 = phi i64 [ %226, %225 ], [ 0, %209 ]
  %228 = shl i64 %227, 3
  %229 = getelementptr i8, ptr %45, i64 %228
  %230 = getelementptr float, ptr %229, i64 %217
  %231 = load <8 x float>, ptr %230, align 4
  %232 = getelementptr float, ptr %229, i64 %218
  %233 = load <8 x float>, ptr %232, align 4
  %234 = getelementptr float, ptr %229, i64 %219
  %235 = load <8 x float>, ptr %234, align 4
  %236 = getelementptr float, ptr %229, i64 %220
  %237 = load <8 x float>, ptr %236, align 4
  %238 = shufflevector <8 x float> %231, <8 x float> %233, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %239 = shufflevector <8 x float> %231, <8 x float> %233, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %240 = shufflevector <8 x float> %235, <8 x float> %237, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %241 = shufflevector <8 x float> %235, <8 x float> %237, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %242 = getelementptr float, ptr %229, i64 %221
  %243 = load <8 x float>, ptr %242, align 4
  %244 = getelementptr float, ptr %229, i64 %222
  %245 = load <8 x float>, ptr %244, align 4
  %246 = shufflevector <8 x float> %243, <8 x float> %245, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %247 = shufflevector <8 x float> %243, <8 x float> %245, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %248 = getelementptr float, ptr %229, i64 %224
  %249 = load <8 x float>, ptr %248, align 4
  %250 = getelementptr float, ptr %229, i64 %223
  %251 = load <8 x float>, ptr %250, align 4
  %252 = shufflevector <8 x float> %249, <8 x float> %251, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %253 = shufflevector <8 x float> %249, <8 x float> %251, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %254 = shufflevector <8 x float> %253, <8 x float> %247, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %255 = shufflevector <8 x float> %253, <8 x float> %247, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %256 = shufflevector <8 x float> %252, <8 x float> %246, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %257 = shufflevector <8 x float> %252, <8 x float> %246, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %258 = shufflevector <8 x float> %239, <8 x float> %241, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %259 = shufflevector <8 x float> %239, <8 x float> %241, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %260 = shufflevector <8 x float> %238, <8 x float> %240, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %261 = shufflevector <8 x float> %238, <8 x float> %240, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %262 = shufflevector <8 x float> %254, <8 x float> %261, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %263 = shufflevector <8 x float> %254, <8 x float> %261, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %264 = shufflevector <8 x float> %256, <8 x float> %259, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %265 = shufflevector <8 x float> %256, <8 x float> %259, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %266 = shufflevector <8 x float> %255, <8 x float> %260, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %267 = shufflevector <8 x float> %255, <8 x float> %260, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %268 = shufflevector <8 x float> %257, <8 x float> %258, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %269 = shufflevector <8 x float> %257, <8 x float> %258, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %270 = getelementptr %struct.Complex_f32, ptr %208, i64 %227
  %271 = select i1 %99, <8 x float> %264, <8 x float> %262
  %272 = select i1 %99, <8 x float> %262, <8 x float> %264
  store <8 x float> %272, ptr %270, align 32
  %273 = getelementptr inbounds nuw i8, ptr %270, i64 32
  store <8 x float> %271, ptr %273, align 32
  %274 = getelementptr i8, ptr %270, i64 64
  %275 = select i1 %99, <8 x float> %268, <8 x float> %266
  %276 = select i1 %99, <8 x float> %266, <8 x float> %268
  store <8 x float> %276, ptr %274, align 32
  %277 = getelementptr i8, ptr %270, i64 96
  store <8 x float> %275, ptr %277, align 32
  %278 = getelementptr i8, ptr %270, i64 128
  %279 = select i1 %99, <8 x float> %265, <8 x float> %263
  %280 = select i1 %99, <8 x float> %263, <8 x float> %265
  store <8 x float> %280, ptr %278, align 32
  %281 = getelementptr i8, ptr %270, i64 160
  store <8 x float> %279, ptr %281, align 32
  %282 = getelementptr i8, ptr %270, i64 192
  %283 = select i1 %99, <8 x float> %269, <8 x float> %267
  %284 = select i1 %99, <8 x float> %267, <8 x float> %269
  store <8 x float> %284, ptr %282, align 32
  %285 = getelementptr i8, ptr %270, i64 224
  store <8 x float> %283, ptr %285, align 32
  %286 = add i64 %226, 4
  %287 = icmp sgt i64 %286, %90
  br i1 %287, label %288, label %225

288:
  %289 = phi i64 [ 0, %205 ], [ %226, %225 ]
  %290 = icmp slt i64 %289, %90
  br i1 %290, label %291, label %362

291:
  %292 = getelementptr inbounds nuw i8, ptr %206, i64 8
  %293 = getelementptr inbounds nuw i8, ptr %206, i64 16
  %294 = getelementptr inbounds nuw i8, ptr %206, i64 24
  %295 = getelementptr inbounds nuw i8, ptr %206, i64 32
  %296 = getelementptr inbounds nuw i8, ptr %206, i64 40
  %297 = getelementptr inbounds nuw i8, ptr %206, i64 48
  %298 = getelementptr inbounds nuw i8, ptr %206, i64 56
  %299 = load i64, ptr %292, align 8
  %300 = load i64, ptr %293, align 8
  %301 = load i64, ptr %294, align 8
  %302 = load i64, ptr %295, align 8
  %303 = load i64, ptr %296, align 8
  %304 = load i64, ptr %297, align 8
  %305 = load i64, ptr %298, align 8
  %306 = load i64, ptr %206, align 8
  br label %307

307:
  %308 = phi i64 [ %360, %307 ], [ %289, %291 ]
  %309 = getelementptr inbounds %struct.Complex_f32, ptr %208, i64 %308
  %310 = mul i64 %308, %94
  %311 = getelementptr float, ptr %45, i64 %310
  %312 = getelementptr float, ptr %311, i64 %306
  %313 = load float, ptr %312, align 4
  %314 = getelementptr inbounds nuw float, ptr %309, i64 %187
  store float %313, ptr %314, align 4
  %315 = getelementptr inbounds float, ptr %312, i64 %96
  %316 = load float, ptr %315, align 4
  %317 = getelementptr inbounds nuw float, ptr %309, i64 %188
  store float %316, ptr %317, align 4
  %318 = getelementptr float, ptr %311, i64 %299
  %319 = load float, ptr %318, align 4
  %320 = getelementptr inbounds nuw float, ptr %309, i64 %189
  store float %319, ptr %320, align 4
  %321 = getelementptr inbounds float, ptr %318, i64 %96
  %322 = load float, ptr %321, align 4
  %323 = getelementptr inbounds nuw float, ptr %309, i64 %190
  store float %322, ptr %323, align 4
  %324 = getelementptr float, ptr %311, i64 %300
  %325 = load float, ptr %324, align 4
  %326 = getelementptr inbounds nuw float, ptr %309, i64 %191
  store float %325, ptr %326, align 4
  %327 = getelementptr inbounds float, ptr %324, i64 %96
  %328 = load float, ptr %327, align 4
  %329 = getelementptr inbounds nuw float, ptr %309, i64 %192
  store float %328, ptr %329, align 4
  %330 = getelementptr float, ptr %311, i64 %301
  %331 = load float, ptr %330, align 4
  %332 = getelementptr inbounds nuw float, ptr %309, i64 %193
  store float %331, ptr %332, align 4
  %333 = getelementptr inbounds float, ptr %330, i64 %96
  %334 = load float, ptr %333, align 4
  %335 = getelementptr inbounds nuw float, ptr %309, i64 %194
  store float %334, ptr %335, align 4
  %336 = getelementptr float, ptr %311, i64 %302
  %337 = load float, ptr %336, align 4
  %338 = getelementptr inbounds nuw float, ptr %309, i64 %195
  store float %337, ptr %338, align 4
  %339 = getelementptr inbounds float, ptr %336, i64 %96
  %340 = load float, ptr %339, align 4
  %341 = getelementptr inbounds nuw float, ptr %309, i64 %196
  store float %340, ptr %341, align 4
  %342 = getelementptr float, ptr %311, i64 %303
  %343 = load float, ptr %342, align 4
  %344 = getelementptr inbounds nuw float, ptr %309, i64 %197
  store float %343, ptr %344, align 4
  %345 = getelementptr inbounds float, ptr %342, i64 %96
  %346 = load float, ptr %345, align 4
  %347 = getelementptr inbounds nuw float, ptr %309, i64 %198
  store float %346, ptr %347, align 4
  %348 = getelementptr float, ptr %311, i64 %304
  %349 = load float, ptr %348, align 4
  %350 = getelementptr inbounds nuw float, ptr %309, i64 %199
  store float %349, ptr %350, align 4
  %351 = getelementptr inbounds float, ptr %348, i64 %96
  %352 = load float, ptr %351, align 4
  %353 = getelementptr inbounds nuw float, ptr %309, i64 %200
  store float %352, ptr %353, align 4
  %354 = getelementptr float, ptr %311, i64 %305
  %355 = load float, ptr %354, align 4
  %356 = getelementptr inbounds nuw float, ptr %309, i64 %201
  store float %355, ptr %356, align 4
  %357 = getelementptr inbounds float, ptr %354, i64 %96
  %358 = load float, ptr %357, align 4
  %359 = getelementptr inbounds nuw float, ptr %309, i64 %202
  store float %358, ptr %359, align 4
  %360 = add nsw i64 %308, 1
  %361 = icmp eq i64 %360, %90
  br i1 %361, label %362, label %307

362:
  %363 = add nuw nsw i64 %207, 1
  %364 = getelementptr inbounds nuw i8, ptr %206, i64 64
  %365 = getelementptr inbounds %struct.Complex_f32, ptr %208, i64 %92
  %366 = icmp eq i64 %207, %204
  br i1 %366, label %367, label %205

367:
  %368 = icmp sgt i64 %68, 0
  br i1 %368, label %369, label %405

369:
  %370 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %371 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %372 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %373 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %374 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %375 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %376 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %377 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %378 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %379 = add nsw i64 %68, -1
  %380 = lshr i64 %379, 3
  br label %684

381:
  %382 = phi i64 [ %73, %72 ], [ %402, %400 ]
  %383 = phi i64 [ 0, %72 ], [ %403, %400 ]
  %384 = phi i64 [ %75, %72 ], [ %401, %400 ]
  %385 = mul i64 %382, %77
  %386 = mul i64 %384, %79
  %387 = add i64 %386, %385
  %388 = getelementptr inbounds nuw i64, ptr %8, i64 %383
  store i64 %387, ptr %388, align 8
  %389 = mul i64 %382, %81
  %390 = mul i64 %384, %83
  %391 = add i64 %390, %389
  %392 = getelementptr inbounds nuw i64, ptr %9, i64 %383
  store i64 %391, ptr %392, align 8
  %393 = icmp slt i64 %383, %84
  br i1 %393, label %394, label %400

394:
  %395 = add i64 %384, 1
  %396 = icmp eq i64 %395, %70
  %397 = select i1 %396, i64 0, i64 %395
  %398 = zext i1 %396 to i64
  %399 = add i64 %382, %398
  br label %400

400:
  %401 = phi i64 [ %384, %381 ], [ %397, %394 ]
  %402 = phi i64 [ %382, %381 ], [ %399, %394 ]
  %403 = add nuw nsw i64 %383, 1
  %404 = icmp eq i64 %403, %63
  br i1 %404, label %85, label %381

405:
  %406 = phi i1 [ false, %179 ], [ false, %367 ], [ true, %1842 ]
  %407 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %408 = load i64, ptr %407, align 8
  %409 = load i64, ptr %91, align 8
  %410 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %411 = load i64, ptr %410, align 8
  %412 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %413 = load i64, ptr %412, align 8
  %414 = load i64, ptr %61, align 8
  %415 = shl i64 %414, 3
  %416 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %417 = load ptr, ptr %416, align 8
  %418 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %419 = load i64, ptr %418, align 8
  %420 = icmp eq i64 %419, 0
  %421 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %422 = load double, ptr %421, align 8
  %423 = fptrunc double %422 to float
  %424 = add i64 %415, -1
  %425 = getelementptr inbounds i64, ptr %9, i64 %424
  %426 = load i64, ptr %425, align 8
  %427 = load i64, ptr %9, align 16
  %428 = sub i64 %426, %427
  %429 = icmp eq i64 %68, %415
  %430 = icmp eq i64 %413, 1
  %431 = select i1 %429, i1 %430, i1 false
  br i1 %431, label %432, label %476

432:
  %433 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %434 = load i64, ptr %433, align 8
  %435 = icmp eq i64 %434, 2
  %436 = shl i64 %424, 1
  %437 = icmp eq i64 %428, %436
  %438 = select i1 %435, i1 %437, i1 false
  br i1 %438, label %439, label %520

439:
  %440 = icmp sgt i64 %408, 0
  br i1 %440, label %441, label %1845

441:
  %442 = getelementptr inbounds float, ptr %57, i64 %427
  %443 = icmp sgt i64 %414, 0
  %444 = insertelement <8 x float> poison, float %423, i64 0
  %445 = shufflevector <8 x float> %444, <8 x float> poison, <8 x i32> zeroinitializer
  br label %446

446:
  %447 = phi ptr [ %442, %441 ], [ %453, %451 ]
  %448 = phi i64 [ 0, %441 ], [ %452, %451 ]
  br i1 %443, label %449, label %451

449:
  %450 = getelementptr inbounds nuw i32, ptr %417, i64 %448
  br label %455

451:
  %452 = add nuw nsw i64 %448, 1
  %453 = getelementptr inbounds float, ptr %447, i64 %411
  %454 = icmp eq i64 %452, %408
  br i1 %454, label %1845, label %446

455:
  %456 = phi i64 [ 0, %449 ], [ %474, %455 ]
  %457 = shl i64 %456, 6
  %458 = getelementptr inbounds i8, ptr %447, i64 %457
  %459 = mul i64 %456, %409
  %460 = load i32, ptr %450, align 4
  %461 = sext i32 %460 to i64
  %462 = getelementptr %struct.Complex_f32, ptr %4, i64 %459
  %463 = getelementptr %struct.Complex_f32, ptr %462, i64 %461
  %464 = load <8 x float>, ptr %463, align 32
  %465 = getelementptr inbounds nuw i8, ptr %463, i64 32
  %466 = load <8 x float>, ptr %465, align 32
  %467 = fmul <8 x float> %445, %464
  %468 = fmul <8 x float> %445, %466
  %469 = select i1 %420, <8 x float> %467, <8 x float> %468
  %470 = select i1 %420, <8 x float> %468, <8 x float> %467
  %471 = shufflevector <8 x float> %469, <8 x float> %470, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %471, ptr %458, align 4
  %472 = shufflevector <8 x float> %469, <8 x float> %470, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  %473 = getelementptr inbounds nuw i8, ptr %458, i64 32
  store <8 x float> %472, ptr %473, align 4
  %474 = add nuw nsw i64 %456, 1
  %475 = icmp eq i64 %474, %414
  br i1 %475, label %451, label %455

476:
  %477 = icmp ne i64 %413, 1
  %478 = select i1 %429, i1 %477, i1 false
  br i1 %478, label %479, label %520

479:
  %480 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %481 = load i64, ptr %480, align 8
  %482 = icmp eq i64 %481, 1
  %483 = icmp eq i64 %428, %424
  %484 = select i1 %482, i1 %483, i1 false
  br i1 %484, label %485, label %520

485:
  %486 = icmp sgt i64 %408, 0
  br i1 %486, label %487, label %1845

487:
  %488 = getelementptr inbounds float, ptr %57, i64 %427
  %489 = icmp sgt i64 %414, 0
  %490 = insertelement <8 x float> poison, float %423, i64 0
  %491 = shufflevector <8 x float> %490, <8 x float> poison, <8 x i32> zeroinitializer
  br label %492

492:
  %493 = phi ptr [ %488, %487 ], [ %499, %497 ]
  %494 = phi i64 [ 0, %487 ], [ %498, %497 ]
  br i1 %489, label %495, label %497

495:
  %496 = getelementptr inbounds nuw i32, ptr %417, i64 %494
  br label %501

497:
  %498 = add nuw nsw i64 %494, 1
  %499 = getelementptr inbounds float, ptr %493, i64 %411
  %500 = icmp eq i64 %498, %408
  br i1 %500, label %1845, label %492

501:
  %502 = phi i64 [ 0, %495 ], [ %518, %501 ]
  %503 = mul i64 %502, %409
  %504 = load i32, ptr %496, align 4
  %505 = sext i32 %504 to i64
  %506 = getelementptr %struct.Complex_f32, ptr %4, i64 %503
  %507 = getelementptr %struct.Complex_f32, ptr %506, i64 %505
  %508 = load <8 x float>, ptr %507, align 32
  %509 = getelementptr inbounds nuw i8, ptr %507, i64 32
  %510 = load <8 x float>, ptr %509, align 32
  %511 = fmul <8 x float> %491, %508
  %512 = fmul <8 x float> %491, %510
  %513 = select i1 %420, <8 x float> %511, <8 x float> %512
  %514 = select i1 %420, <8 x float> %512, <8 x float> %511
  %515 = shl i64 %502, 5
  %516 = getelementptr inbounds i8, ptr %493, i64 %515
  store <8 x float> %513, ptr %516, align 4
  %517 = getelementptr inbounds float, ptr %516, i64 %413
  store <8 x float> %514, ptr %517, align 4
  %518 = add nuw nsw i64 %502, 1
  %519 = icmp eq i64 %518, %414
  br i1 %519, label %497, label %501

520:
  br i1 %406, label %521, label %1845

521:
  %522 = icmp ne i64 %411, 2
  %523 = xor i1 %430, true
  %524 = select i1 %523, i1 true, i1 %522
  %525 = icmp slt i64 %408, 4
  %526 = insertelement <8 x float> poison, float %423, i64 0
  %527 = shufflevector <8 x float> %526, <8 x float> poison, <8 x i32> zeroinitializer
  %528 = select i1 %524, i1 true, i1 %525
  br label %529

529:
  %530 = phi ptr [ %9, %521 ], [ %681, %679 ]
  %531 = phi i64 [ %68, %521 ], [ %680, %679 ]
  %532 = phi ptr [ %4, %521 ], [ %682, %679 ]
  %533 = tail call i64 @llvm.umin.i64(i64 %531, i64 8)
  br i1 %528, label %648, label %534

534:
  %535 = icmp samesign ugt i64 %531, 1
  %536 = getelementptr inbounds nuw i8, ptr %530, i64 8
  %537 = icmp samesign ugt i64 %531, 2
  %538 = getelementptr inbounds nuw i8, ptr %530, i64 16
  %539 = icmp samesign ugt i64 %531, 3
  %540 = getelementptr inbounds nuw i8, ptr %530, i64 24
  %541 = icmp samesign ugt i64 %531, 4
  %542 = getelementptr inbounds nuw i8, ptr %530, i64 32
  %543 = icmp samesign ugt i64 %531, 5
  %544 = getelementptr inbounds nuw i8, ptr %530, i64 40
  %545 = icmp samesign ugt i64 %531, 6
  %546 = getelementptr inbounds nuw i8, ptr %530, i64 48
  %547 = icmp samesign ugt i64 %531, 7
  %548 = getelementptr inbounds nuw i8, ptr %530, i64 56
  %549 = load i64, ptr %530, align 8
  br label %550

550:
  %551 = phi i64 [ %646, %645 ], [ 4, %534 ]
  %552 = phi i64 [ %551, %645 ], [ 0, %534 ]
  %553 = getelementptr i32, ptr %417, i64 %552
  %554 = getelementptr i8, ptr %553, i64 8
  %555 = load i32, ptr %554, align 4
  %556 = sext i32 %555 to i64
  %557 = getelementptr inbounds %struct.Complex_f32, ptr %532, i64 %556
  %558 = load <8 x float>, ptr %557, align 32
  %559 = getelementptr inbounds nuw i8, ptr %557, i64 32
  %560 = load <8 x float>, ptr %559, align 32
  %561 = fmul <8 x float> %527, %558
  %562 = fmul <8 x float> %527, %560
  %563 = select i1 %420, <8 x float> %562, <8 x float> %561
  %564 = select i1 %420, <8 x float> %561, <8 x float> %562
  %565 = getelementptr i8, ptr %553, i64 12
  %566 = load i32, ptr %565, align 4
  %567 = sext i32 %566 to i64
  %568 = getelementptr inbounds %struct.Complex_f32, ptr %532, i64 %567
  %569 = load <8 x float>, ptr %568, align 32
  %570 = getelementptr inbounds nuw i8, ptr %568, i64 32
  %571 = load <8 x float>, ptr %570, align 32
  %572 = fmul <8 x float> %527, %569
  %573 = fmul <8 x float> %527, %571
  %574 = select i1 %420, <8 x float> %573, <8 x float> %572
  %575 = select i1 %420, <8 x float> %572, <8 x float> %573
  %576 = shufflevector <8 x float> %564, <8 x float> %563, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %577 = shufflevector <8 x float> %564, <8 x float> %563, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %578 = shufflevector <8 x float> %575, <8 x float> %574, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %579 = shufflevector <8 x float> %575, <8 x float> %574, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %580 = getelementptr i8, ptr %553, i64 4
  %581 = load i32, ptr %580, align 4
  %582 = sext i32 %581 to i64
  %583 = getelementptr inbounds %struct.Complex_f32, ptr %532, i64 %582
  %584 = load <8 x float>, ptr %583, align 32
  %585 = fmul <8 x float> %527, %584
  %586 = getelementptr inbounds nuw i8, ptr %583, i64 32
  %587 = load <8 x float>, ptr %586, align 32
  %588 = fmul <8 x float> %527, %587
  %589 = select i1 %420, <8 x float> %585, <8 x float> %588
  %590 = select i1 %420, <8 x float> %588, <8 x float> %585
  %591 = shufflevector <8 x float> %589, <8 x float> %590, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %592 = shufflevector <8 x float> %589, <8 x float> %590, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %593 = load i32, ptr %553, align 4
  %594 = sext i32 %593 to i64
  %595 = getelementptr inbounds %struct.Complex_f32, ptr %532, i64 %594
  %596 = load <8 x float>, ptr %595, align 32
  %597 = fmul <8 x float> %527, %596
  %598 = getelementptr inbounds nuw i8, ptr %595, i64 32
  %599 = load <8 x float>, ptr %598, align 32
  %600 = fmul <8 x float> %527, %599
  %601 = select i1 %420, <8 x float> %597, <8 x float> %600
  %602 = select i1 %420, <8 x float> %600, <8 x float> %597
  %603 = shufflevector <8 x float> %601, <8 x float> %602, <8 x i32> <i32 1, i32 9, i32 3, i32 11, i32 5, i32 13, i32 7, i32 15>
  %604 = shufflevector <8 x float> %601, <8 x float> %602, <8 x i32> <i32 0, i32 8, i32 2, i32 10, i32 4, i32 12, i32 6, i32 14>
  %605 = shufflevector <8 x float> %604, <8 x float> %592, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %606 = shufflevector <8 x float> %604, <8 x float> %592, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %607 = shufflevector <8 x float> %603, <8 x float> %591, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %608 = shufflevector <8 x float> %603, <8 x float> %591, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %609 = shufflevector <8 x float> %577, <8 x float> %579, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %610 = shufflevector <8 x float> %577, <8 x float> %579, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %611 = shufflevector <8 x float> %576, <8 x float> %578, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %612 = shufflevector <8 x float> %576, <8 x float> %578, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %613 = shufflevector <8 x float> %605, <8 x float> %612, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %614 = shufflevector <8 x float> %607, <8 x float> %610, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %615 = shufflevector <8 x float> %606, <8 x float> %611, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %616 = shufflevector <8 x float> %606, <8 x float> %611, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %617 = shufflevector <8 x float> %608, <8 x float> %609, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %618 = shufflevector <8 x float> %608, <8 x float> %609, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %619 = shl i64 %552, 3
  %620 = getelementptr i8, ptr %57, i64 %619
  %621 = shufflevector <8 x float> %605, <8 x float> %612, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %622 = getelementptr float, ptr %620, i64 %549
  store <8 x float> %621, ptr %622, align 4
  br i1 %535, label %623, label %645

623:
  %624 = shufflevector <8 x float> %607, <8 x float> %610, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %625 = load i64, ptr %536, align 8
  %626 = getelementptr float, ptr %620, i64 %625
  store <8 x float> %624, ptr %626, align 4
  br i1 %537, label %627, label %645

627:
  %628 = load i64, ptr %538, align 8
  %629 = getelementptr float, ptr %620, i64 %628
  store <8 x float> %615, ptr %629, align 4
  br i1 %539, label %630, label %645

630:
  %631 = load i64, ptr %540, align 8
  %632 = getelementptr float, ptr %620, i64 %631
  store <8 x float> %617, ptr %632, align 4
  br i1 %541, label %633, label %645

633:
  %634 = load i64, ptr %542, align 8
  %635 = getelementptr float, ptr %620, i64 %634
  store <8 x float> %613, ptr %635, align 4
  br i1 %543, label %636, label %645

636:
  %637 = load i64, ptr %544, align 8
  %638 = getelementptr float, ptr %620, i64 %637
  store <8 x float> %614, ptr %638, align 4
  br i1 %545, label %639, label %645

639:
  %640 = load i64, ptr %546, align 8
  %641 = getelementptr float, ptr %620, i64 %640
  store <8 x float> %616, ptr %641, align 4
  br i1 %547, label %642, label %645

642:
  %643 = load i64, ptr %548, align 8
  %644 = getelementptr float, ptr %620, i64 %643
  store <8 x float> %618, ptr %644, align 4
  br label %645

645:
  %646 = add i64 %551, 4
  %647 = icmp sgt i64 %646, %408
  br i1 %647, label %648, label %550

648:
  %649 = phi i64 [ 0, %529 ], [ %551, %645 ]
  %650 = icmp slt i64 %649, %408
  br i1 %650, label %651, label %679

651:
  %652 = phi i64 [ %667, %666 ], [ %649, %648 ]
  %653 = getelementptr inbounds i32, ptr %417, i64 %652
  %654 = load i32, ptr %653, align 4
  %655 = sext i32 %654 to i64
  %656 = getelementptr inbounds %struct.Complex_f32, ptr %532, i64 %655
  %657 = load <8 x float>, ptr %656, align 32
  %658 = getelementptr inbounds nuw i8, ptr %656, i64 32
  %659 = load <8 x float>, ptr %658, align 32
  %660 = fmul <8 x float> %527, %657
  %661 = fmul <8 x float> %527, %659
  %662 = select i1 %420, <8 x float> %661, <8 x float> %660
  %663 = select i1 %420, <8 x float> %660, <8 x float> %661
  %664 = mul i64 %652, %411
  %665 = getelementptr float, ptr %57, i64 %664
  br label %669

666:
  %667 = add nsw i64 %652, 1
  %668 = icmp eq i64 %667, %408
  br i1 %668, label %679, label %651

669:
  %670 = phi i64 [ 0, %651 ], [ %677, %669 ]
  %671 = getelementptr inbounds nuw i64, ptr %530, i64 %670
  %672 = load i64, ptr %671, align 8
  %673 = getelementptr float, ptr %665, i64 %672
  %674 = extractelement <8 x float> %663, i64 %670
  store float %674, ptr %673, align 4
  %675 = extractelement <8 x float> %662, i64 %670
  %676 = getelementptr inbounds float, ptr %673, i64 %413
  store float %675, ptr %676, align 4
  %677 = add nuw nsw i64 %670, 1
  %678 = icmp eq i64 %677, %533
  br i1 %678, label %666, label %669

679:
  %680 = add nsw i64 %531, -8
  %681 = getelementptr inbounds nuw i8, ptr %530, i64 64
  %682 = getelementptr inbounds %struct.Complex_f32, ptr %532, i64 %409
  %683 = icmp sgt i64 %531, 8
  br i1 %683, label %529, label %1845

684:
  %685 = phi i64 [ 0, %369 ], [ %1843, %1842 ]
  %686 = load i64, ptr %91, align 8
  %687 = mul i64 %686, %685
  %688 = getelementptr inbounds %struct.Complex_f32, ptr %4, i64 %687
  %689 = load i64, ptr %370, align 8
  %690 = icmp eq i64 %689, 2
  br i1 %690, label %691, label %737

691:
  %692 = load i64, ptr %371, align 8
  %693 = load ptr, ptr %372, align 8
  %694 = load <8 x float>, ptr %688, align 32
  %695 = getelementptr inbounds nuw i8, ptr %688, i64 32
  %696 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %692
  %697 = load <8 x float>, ptr %696, align 32
  %698 = fsub <8 x float> %694, %697
  %699 = fadd <8 x float> %694, %697
  store <8 x float> %698, ptr %688, align 32
  store <8 x float> %699, ptr %695, align 32
  %700 = icmp slt i64 %692, 2
  br i1 %700, label %737, label %701

701:
  %702 = phi i64 [ %735, %701 ], [ 2, %691 ]
  %703 = phi i64 [ %734, %701 ], [ 1, %691 ]
  %704 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %703
  %705 = load <8 x float>, ptr %704, align 32
  %706 = getelementptr inbounds nuw i8, ptr %704, i64 32
  %707 = load <8 x float>, ptr %706, align 32
  %708 = sub i64 %692, %703
  %709 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %708
  %710 = load <8 x float>, ptr %709, align 32
  %711 = getelementptr inbounds nuw i8, ptr %709, i64 32
  %712 = load <8 x float>, ptr %711, align 32
  %713 = fadd <8 x float> %705, %710
  %714 = fsub <8 x float> %707, %712
  %715 = fsub <8 x float> %705, %710
  %716 = fadd <8 x float> %707, %712
  %717 = getelementptr inbounds float, ptr %693, i64 %702
  %718 = load float, ptr %717, align 4
  %719 = insertelement <8 x float> poison, float %718, i64 0
  %720 = shufflevector <8 x float> %719, <8 x float> poison, <8 x i32> zeroinitializer
  %721 = getelementptr i8, ptr %717, i64 4
  %722 = load float, ptr %721, align 4
  %723 = insertelement <8 x float> poison, float %722, i64 0
  %724 = shufflevector <8 x float> %723, <8 x float> poison, <8 x i32> zeroinitializer
  %725 = fmul <8 x float> %716, %724
  %726 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %715, <8 x float> %720, <8 x float> %725)
  %727 = fneg <8 x float> %724
  %728 = fmul <8 x float> %715, %727
  %729 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %716, <8 x float> %720, <8 x float> %728)
  %730 = fadd <8 x float> %714, %726
  %731 = fsub <8 x float> %713, %729
  store <8 x float> %730, ptr %704, align 32
  store <8 x float> %731, ptr %706, align 32
  %732 = fsub <8 x float> %726, %714
  %733 = fadd <8 x float> %713, %729
  store <8 x float> %732, ptr %709, align 32
  store <8 x float> %733, ptr %711, align 32
  %734 = add i64 %703, 1
  %735 = shl i64 %734, 1
  %736 = icmp sgt i64 %735, %692
  br i1 %736, label %737, label %701

737:
  %738 = load i64, ptr %371, align 8
  %739 = load i64, ptr %373, align 8
  %740 = icmp sgt i64 %739, 0
  br i1 %740, label %741, label %1727

741:
  %742 = load ptr, ptr %374, align 8
  %743 = icmp sgt i64 %738, 0
  br label %744

744:
  %745 = phi i64 [ %738, %741 ], [ %1719, %1717 ]
  %746 = phi ptr [ %742, %741 ], [ %1723, %1717 ]
  %747 = phi i64 [ 0, %741 ], [ %1724, %1717 ]
  %748 = getelementptr inbounds nuw i64, ptr %375, i64 %747
  %749 = load i64, ptr %748, align 8
  %750 = icmp eq i64 %745, %749
  %751 = icmp sgt i64 %749, 8
  %752 = icmp eq i64 %749, 7
  %753 = or i1 %751, %752
  br i1 %753, label %754, label %907

754:
  %755 = shl i64 %749, 3
  %756 = getelementptr inbounds i8, ptr %746, i64 %755
  %757 = sdiv i64 %745, %749
  br i1 %743, label %758, label %1717

758:
  %759 = icmp sgt i64 %757, 0
  %760 = shl nuw i64 %749, 1
  %761 = add i64 %760, -2
  %762 = icmp eq i64 %757, 1
  %763 = add nsw i64 %749, -3
  %764 = lshr i64 %763, 1
  %765 = add nuw nsw i64 %764, 2
  br label %766

766:
  %767 = phi i64 [ 0, %758 ], [ %771, %770 ]
  br i1 %759, label %768, label %770

768:
  %769 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %767
  br label %773

770:
  %771 = add i64 %767, %745
  %772 = icmp slt i64 %771, %738
  br i1 %772, label %766, label %1717

773:
  %774 = phi i64 [ 0, %768 ], [ %816, %815 ]
  %775 = getelementptr inbounds nuw %struct.Complex_f32, ptr %769, i64 %774
  %776 = load <8 x float>, ptr %775, align 32
  %777 = getelementptr inbounds nuw i8, ptr %775, i64 32
  %778 = load <8 x float>, ptr %777, align 32
  br label %783

779:
  %780 = mul i64 %774, %761
  %781 = getelementptr inbounds float, ptr %756, i64 %780
  %782 = getelementptr inbounds i8, ptr %781, i64 -8
  store <8 x float> %808, ptr %775, align 32
  store <8 x float> %809, ptr %777, align 32
  br label %812

783:
  %784 = phi i64 [ %810, %783 ], [ 1, %773 ]
  %785 = phi <8 x float> [ %809, %783 ], [ %778, %773 ]
  %786 = phi <8 x float> [ %808, %783 ], [ %776, %773 ]
  %787 = add nsw i64 %784, -1
  %788 = getelementptr inbounds %struct.Complex_f32, ptr %6, i64 %787
  %789 = mul i64 %784, %757
  %790 = getelementptr inbounds %struct.Complex_f32, ptr %775, i64 %789
  %791 = sub nsw i64 %749, %784
  %792 = mul i64 %791, %757
  %793 = getelementptr inbounds %struct.Complex_f32, ptr %775, i64 %792
  %794 = load <8 x float>, ptr %793, align 32
  %795 = getelementptr inbounds nuw i8, ptr %793, i64 32
  %796 = load <8 x float>, ptr %795, align 32
  %797 = load <8 x float>, ptr %790, align 32
  %798 = getelementptr inbounds nuw i8, ptr %790, i64 32
  %799 = load <8 x float>, ptr %798, align 32
  %800 = fadd <8 x float> %794, %797
  %801 = fadd <8 x float> %796, %799
  store <8 x float> %800, ptr %788, align 32
  %802 = getelementptr inbounds nuw i8, ptr %788, i64 32
  store <8 x float> %801, ptr %802, align 32
  %803 = getelementptr inbounds %struct.Complex_f32, ptr %7, i64 %787
  %804 = fsub <8 x float> %797, %794
  %805 = fsub <8 x float> %799, %796
  %806 = fneg <8 x float> %804
  store <8 x float> %805, ptr %803, align 32
  %807 = getelementptr inbounds nuw i8, ptr %803, i64 32
  store <8 x float> %806, ptr %807, align 32
  %808 = fadd <8 x float> %786, %800
  %809 = fadd <8 x float> %785, %801
  %810 = add nuw nsw i64 %784, 1
  %811 = icmp eq i64 %810, %765
  br i1 %811, label %779, label %783

812:
  %813 = phi i64 [ %870, %865 ], [ 2, %779 ]
  %814 = phi i64 [ %869, %865 ], [ 1, %779 ]
  br label %872

815:
  %816 = add nuw nsw i64 %774, 1
  %817 = icmp eq i64 %816, %757
  br i1 %817, label %770, label %773

818:
  %819 = mul i64 %814, %757
  %820 = getelementptr inbounds %struct.Complex_f32, ptr %775, i64 %819
  %821 = fadd <8 x float> %887, %897
  %822 = fadd <8 x float> %890, %900
  br i1 %762, label %839, label %823

823:
  %824 = getelementptr inbounds float, ptr %782, i64 %813
  %825 = load float, ptr %824, align 4
  %826 = insertelement <8 x float> poison, float %825, i64 0
  %827 = shufflevector <8 x float> %826, <8 x float> poison, <8 x i32> zeroinitializer
  %828 = getelementptr inbounds nuw i8, ptr %824, i64 4
  %829 = load float, ptr %828, align 4
  %830 = insertelement <8 x float> poison, float %829, i64 0
  %831 = fneg float %829
  %832 = insertelement <8 x float> poison, float %831, i64 0
  %833 = shufflevector <8 x float> %832, <8 x float> poison, <8 x i32> zeroinitializer
  %834 = fmul <8 x float> %822, %833
  %835 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %821, <8 x float> %827, <8 x float> %834)
  %836 = shufflevector <8 x float> %830, <8 x float> poison, <8 x i32> zeroinitializer
  %837 = fmul <8 x float> %821, %836
  %838 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %822, <8 x float> %827, <8 x float> %837)
  br label %839

839:
  %840 = phi <8 x float> [ %838, %823 ], [ %822, %818 ]
  %841 = phi <8 x float> [ %835, %823 ], [ %821, %818 ]
  store <8 x float> %841, ptr %820, align 32
  %842 = getelementptr inbounds nuw i8, ptr %820, i64 32
  store <8 x float> %840, ptr %842, align 32
  %843 = sub nsw i64 %749, %814
  %844 = mul i64 %843, %757
  %845 = getelementptr inbounds %struct.Complex_f32, ptr %775, i64 %844
  %846 = fsub <8 x float> %887, %897
  %847 = fsub <8 x float> %890, %900
  br i1 %762, label %865, label %848

848:
  %849 = shl i64 %843, 3
  %850 = getelementptr inbounds i8, ptr %782, i64 %849
  %851 = load float, ptr %850, align 4
  %852 = insertelement <8 x float> poison, float %851, i64 0
  %853 = shufflevector <8 x float> %852, <8 x float> poison, <8 x i32> zeroinitializer
  %854 = getelementptr inbounds nuw i8, ptr %850, i64 4
  %855 = load float, ptr %854, align 4
  %856 = insertelement <8 x float> poison, float %855, i64 0
  %857 = fneg float %855
  %858 = insertelement <8 x float> poison, float %857, i64 0
  %859 = shufflevector <8 x float> %858, <8 x float> poison, <8 x i32> zeroinitializer
  %860 = fmul <8 x float> %847, %859
  %861 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %846, <8 x float> %853, <8 x float> %860)
  %862 = shufflevector <8 x float> %856, <8 x float> poison, <8 x i32> zeroinitializer
  %863 = fmul <8 x float> %846, %862
  %864 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %847, <8 x float> %853, <8 x float> %863)
  br label %865

865:
  %866 = phi <8 x float> [ %864, %848 ], [ %847, %839 ]
  %867 = phi <8 x float> [ %861, %848 ], [ %846, %839 ]
  store <8 x float> %867, ptr %845, align 32
  %868 = getelementptr inbounds nuw i8, ptr %845, i64 32
  store <8 x float> %866, ptr %868, align 32
  %869 = add nuw nsw i64 %814, 1
  %870 = shl nuw i64 %869, 1
  %871 = icmp eq i64 %869, %765
  br i1 %871, label %815, label %812

872:
  %873 = phi i64 [ %814, %812 ], [ %905, %872 ]
  %874 = phi i64 [ 1, %812 ], [ %901, %872 ]
  %875 = phi <8 x float> [ %778, %812 ], [ %890, %872 ]
  %876 = phi <8 x float> [ %776, %812 ], [ %887, %872 ]
  %877 = phi <8 x float> [ zeroinitializer, %812 ], [ %897, %872 ]
  %878 = phi <8 x float> [ zeroinitializer, %812 ], [ %900, %872 ]
  %879 = add nsw i64 %874, -1
  %880 = getelementptr inbounds %struct.Complex_f32, ptr %6, i64 %879
  %881 = load <8 x float>, ptr %880, align 32
  %882 = shl i64 %873, 3
  %883 = getelementptr inbounds i8, ptr %746, i64 %882
  %884 = load float, ptr %883, align 4
  %885 = insertelement <8 x float> poison, float %884, i64 0
  %886 = shufflevector <8 x float> %885, <8 x float> poison, <8 x i32> zeroinitializer
  %887 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %881, <8 x float> %886, <8 x float> %876)
  %888 = getelementptr inbounds nuw i8, ptr %880, i64 32
  %889 = load <8 x float>, ptr %888, align 32
  %890 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %889, <8 x float> %886, <8 x float> %875)
  %891 = getelementptr inbounds %struct.Complex_f32, ptr %7, i64 %879
  %892 = load <8 x float>, ptr %891, align 32
  %893 = getelementptr i8, ptr %883, i64 4
  %894 = load float, ptr %893, align 4
  %895 = insertelement <8 x float> poison, float %894, i64 0
  %896 = shufflevector <8 x float> %895, <8 x float> poison, <8 x i32> zeroinitializer
  %897 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %892, <8 x float> %896, <8 x float> %877)
  %898 = getelementptr inbounds nuw i8, ptr %891, i64 32
  %899 = load <8 x float>, ptr %898, align 32
  %900 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %899, <8 x float> %896, <8 x float> %878)
  %901 = add nuw nsw i64 %874, 1
  %902 = add i64 %873, %814
  %903 = icmp slt i64 %902, %749
  %904 = select i1 %903, i64 0, i64 %749
  %905 = sub i64 %902, %904
  %906 = icmp eq i64 %901, %765
  br i1 %906, label %818, label %872

907:
  switch i64 %749, label %1717 [
    i64 2, label %908
    i64 3, label %969
    i64 4, label %1074
    i64 5, label %1207
    i64 8, label %1406
  ]

908:
  br i1 %750, label %909, label %926

909:
  br i1 %743, label %910, label %1717

910:
  %911 = phi i64 [ %924, %910 ], [ 0, %909 ]
  %912 = getelementptr inbounds nuw %struct.Complex_f32, ptr %688, i64 %911
  %913 = load <8 x float>, ptr %912, align 32
  %914 = getelementptr inbounds nuw i8, ptr %912, i64 32
  %915 = load <8 x float>, ptr %914, align 32
  %916 = getelementptr inbounds nuw i8, ptr %912, i64 64
  %917 = load <8 x float>, ptr %916, align 32
  %918 = getelementptr inbounds nuw i8, ptr %912, i64 96
  %919 = load <8 x float>, ptr %918, align 32
  %920 = fadd <8 x float> %913, %917
  %921 = fadd <8 x float> %915, %919
  store <8 x float> %920, ptr %912, align 32
  store <8 x float> %921, ptr %914, align 32
  %922 = fsub <8 x float> %913, %917
  %923 = fsub <8 x float> %915, %919
  store <8 x float> %922, ptr %916, align 32
  store <8 x float> %923, ptr %918, align 32
  %924 = add nuw nsw i64 %911, 2
  %925 = icmp slt i64 %924, %738
  br i1 %925, label %910, label %1717

926:
  %927 = sdiv i64 %745, 2
  br i1 %743, label %928, label %1717

928:
  %929 = icmp sgt i64 %745, 1
  br label %930

930:
  %931 = phi i64 [ 0, %928 ], [ %935, %934 ]
  br i1 %929, label %932, label %934

932:
  %933 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %931
  br label %937

934:
  %935 = add i64 %931, %745
  %936 = icmp slt i64 %935, %738
  br i1 %936, label %930, label %1717

937:
  %938 = phi i64 [ 0, %932 ], [ %967, %937 ]
  %939 = getelementptr inbounds nuw %struct.Complex_f32, ptr %933, i64 %938
  %940 = load <8 x float>, ptr %939, align 32
  %941 = getelementptr inbounds nuw i8, ptr %939, i64 32
  %942 = load <8 x float>, ptr %941, align 32
  %943 = getelementptr inbounds nuw %struct.Complex_f32, ptr %939, i64 %927
  %944 = load <8 x float>, ptr %943, align 32
  %945 = getelementptr inbounds nuw i8, ptr %943, i64 32
  %946 = load <8 x float>, ptr %945, align 32
  %947 = fadd <8 x float> %940, %944
  %948 = fadd <8 x float> %942, %946
  store <8 x float> %947, ptr %939, align 32
  store <8 x float> %948, ptr %941, align 32
  %949 = fsub <8 x float> %940, %944
  %950 = fsub <8 x float> %942, %946
  %951 = shl i64 %938, 3
  %952 = getelementptr inbounds i8, ptr %746, i64 %951
  %953 = load float, ptr %952, align 4
  %954 = insertelement <8 x float> poison, float %953, i64 0
  %955 = shufflevector <8 x float> %954, <8 x float> poison, <8 x i32> zeroinitializer
  %956 = getelementptr inbounds nuw i8, ptr %952, i64 4
  %957 = load float, ptr %956, align 4
  %958 = insertelement <8 x float> poison, float %957, i64 0
  %959 = fneg float %957
  %960 = insertelement <8 x float> poison, float %959, i64 0
  %961 = shufflevector <8 x float> %960, <8 x float> poison, <8 x i32> zeroinitializer
  %962 = fmul <8 x float> %950, %961
  %963 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %949, <8 x float> %955, <8 x float> %962)
  %964 = shufflevector <8 x float> %958, <8 x float> poison, <8 x i32> zeroinitializer
  %965 = fmul <8 x float> %949, %964
  %966 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %950, <8 x float> %955, <8 x float> %965)
  store <8 x float> %963, ptr %943, align 32
  store <8 x float> %966, ptr %945, align 32
  %967 = add nuw nsw i64 %938, 1
  %968 = icmp eq i64 %967, %927
  br i1 %968, label %934, label %937

969:
  br i1 %750, label %970, label %1001

970:
  br i1 %743, label %971, label %1717

971:
  %972 = phi i64 [ %999, %971 ], [ 0, %970 ]
  %973 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %972
  %974 = load <8 x float>, ptr %973, align 32
  %975 = getelementptr inbounds nuw i8, ptr %973, i64 32
  %976 = load <8 x float>, ptr %975, align 32
  %977 = getelementptr inbounds nuw i8, ptr %973, i64 64
  %978 = getelementptr inbounds nuw i8, ptr %973, i64 128
  %979 = load <8 x float>, ptr %978, align 32
  %980 = getelementptr inbounds nuw i8, ptr %973, i64 160
  %981 = load <8 x float>, ptr %980, align 32
  %982 = load <8 x float>, ptr %977, align 32
  %983 = getelementptr inbounds nuw i8, ptr %973, i64 96
  %984 = load <8 x float>, ptr %983, align 32
  %985 = fadd <8 x float> %979, %982
  %986 = fadd <8 x float> %981, %984
  %987 = fsub <8 x float> %982, %979
  %988 = fsub <8 x float> %984, %981
  %989 = fmul <8 x float> %988, splat (float 0x3FEBB67AE0000000)
  %990 = fmul <8 x float> %987, splat (float 0xBFEBB67AE0000000)
  %991 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %985, <8 x float> splat (float -5.000000e-01), <8 x float> %974)
  %992 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %986, <8 x float> splat (float -5.000000e-01), <8 x float> %976)
  %993 = fadd <8 x float> %974, %985
  %994 = fadd <8 x float> %976, %986
  store <8 x float> %993, ptr %973, align 32
  store <8 x float> %994, ptr %975, align 32
  %995 = fadd <8 x float> %991, %989
  %996 = fadd <8 x float> %990, %992
  store <8 x float> %995, ptr %977, align 32
  store <8 x float> %996, ptr %983, align 32
  %997 = fsub <8 x float> %991, %989
  %998 = fsub <8 x float> %992, %990
  store <8 x float> %997, ptr %978, align 32
  store <8 x float> %998, ptr %980, align 32
  %999 = add i64 %972, 3
  %1000 = icmp slt i64 %999, %738
  br i1 %1000, label %971, label %1717

1001:
  %1002 = sdiv i64 %745, 3
  br i1 %743, label %1003, label %1717

1003:
  %1004 = icmp sgt i64 %745, 2
  %1005 = shl nsw i64 %1002, 7
  br label %1006

1006:
  %1007 = phi i64 [ 0, %1003 ], [ %1011, %1010 ]
  br i1 %1004, label %1008, label %1010

1008:
  %1009 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1007
  br label %1013

1010:
  %1011 = add i64 %1007, %745
  %1012 = icmp slt i64 %1011, %738
  br i1 %1012, label %1006, label %1717

1013:
  %1014 = phi i64 [ 0, %1008 ], [ %1072, %1013 ]
  %1015 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1009, i64 %1014
  %1016 = load <8 x float>, ptr %1015, align 32
  %1017 = getelementptr inbounds nuw i8, ptr %1015, i64 32
  %1018 = load <8 x float>, ptr %1017, align 32
  %1019 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1015, i64 %1002
  %1020 = getelementptr inbounds nuw i8, ptr %1015, i64 %1005
  %1021 = load <8 x float>, ptr %1020, align 32
  %1022 = getelementptr inbounds nuw i8, ptr %1020, i64 32
  %1023 = load <8 x float>, ptr %1022, align 32
  %1024 = load <8 x float>, ptr %1019, align 32
  %1025 = getelementptr inbounds nuw i8, ptr %1019, i64 32
  %1026 = load <8 x float>, ptr %1025, align 32
  %1027 = fadd <8 x float> %1021, %1024
  %1028 = fadd <8 x float> %1023, %1026
  %1029 = fsub <8 x float> %1024, %1021
  %1030 = fsub <8 x float> %1026, %1023
  %1031 = fmul <8 x float> %1030, splat (float 0x3FEBB67AE0000000)
  %1032 = fmul <8 x float> %1029, splat (float 0xBFEBB67AE0000000)
  %1033 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1027, <8 x float> splat (float -5.000000e-01), <8 x float> %1016)
  %1034 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1028, <8 x float> splat (float -5.000000e-01), <8 x float> %1018)
  %1035 = shl i64 %1014, 4
  %1036 = getelementptr inbounds i8, ptr %746, i64 %1035
  %1037 = fadd <8 x float> %1016, %1027
  %1038 = fadd <8 x float> %1018, %1028
  store <8 x float> %1037, ptr %1015, align 32
  store <8 x float> %1038, ptr %1017, align 32
  %1039 = fadd <8 x float> %1033, %1031
  %1040 = fadd <8 x float> %1032, %1034
  %1041 = load float, ptr %1036, align 4
  %1042 = insertelement <8 x float> poison, float %1041, i64 0
  %1043 = shufflevector <8 x float> %1042, <8 x float> poison, <8 x i32> zeroinitializer
  %1044 = getelementptr inbounds nuw i8, ptr %1036, i64 4
  %1045 = load float, ptr %1044, align 4
  %1046 = insertelement <8 x float> poison, float %1045, i64 0
  %1047 = fneg float %1045
  %1048 = insertelement <8 x float> poison, float %1047, i64 0
  %1049 = shufflevector <8 x float> %1048, <8 x float> poison, <8 x i32> zeroinitializer
  %1050 = fmul <8 x float> %1040, %1049
  %1051 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1039, <8 x float> %1043, <8 x float> %1050)
  %1052 = shufflevector <8 x float> %1046, <8 x float> poison, <8 x i32> zeroinitializer
  %1053 = fmul <8 x float> %1039, %1052
  %1054 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1040, <8 x float> %1043, <8 x float> %1053)
  store <8 x float> %1051, ptr %1019, align 32
  store <8 x float> %1054, ptr %1025, align 32
  %1055 = fsub <8 x float> %1033, %1031
  %1056 = fsub <8 x float> %1034, %1032
  %1057 = getelementptr inbounds nuw i8, ptr %1036, i64 8
  %1058 = load float, ptr %1057, align 4
  %1059 = insertelement <8 x float> poison, float %1058, i64 0
  %1060 = shufflevector <8 x float> %1059, <8 x float> poison, <8 x i32> zeroinitializer
  %1061 = getelementptr inbounds nuw i8, ptr %1036, i64 12
  %1062 = load float, ptr %1061, align 4
  %1063 = insertelement <8 x float> poison, float %1062, i64 0
  %1064 = fneg float %1062
  %1065 = insertelement <8 x float> poison, float %1064, i64 0
  %1066 = shufflevector <8 x float> %1065, <8 x float> poison, <8 x i32> zeroinitializer
  %1067 = fmul <8 x float> %1056, %1066
  %1068 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1055, <8 x float> %1060, <8 x float> %1067)
  %1069 = shufflevector <8 x float> %1063, <8 x float> poison, <8 x i32> zeroinitializer
  %1070 = fmul <8 x float> %1055, %1069
  %1071 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1056, <8 x float> %1060, <8 x float> %1070)
  store <8 x float> %1068, ptr %1020, align 32
  store <8 x float> %1071, ptr %1022, align 32
  %1072 = add nuw nsw i64 %1014, 1
  %1073 = icmp eq i64 %1072, %1002
  br i1 %1073, label %1010, label %1013

1074:
  br i1 %750, label %1075, label %1112

1075:
  br i1 %743, label %1076, label %1717

1076:
  %1077 = phi i64 [ %1110, %1076 ], [ 0, %1075 ]
  %1078 = getelementptr inbounds nuw %struct.Complex_f32, ptr %688, i64 %1077
  %1079 = getelementptr inbounds nuw i8, ptr %1078, i64 64
  %1080 = getelementptr inbounds nuw i8, ptr %1078, i64 128
  %1081 = getelementptr inbounds nuw i8, ptr %1078, i64 192
  %1082 = load <8 x float>, ptr %1081, align 32
  %1083 = getelementptr inbounds nuw i8, ptr %1078, i64 224
  %1084 = load <8 x float>, ptr %1083, align 32
  %1085 = load <8 x float>, ptr %1080, align 32
  %1086 = getelementptr inbounds nuw i8, ptr %1078, i64 160
  %1087 = load <8 x float>, ptr %1086, align 32
  %1088 = load <8 x float>, ptr %1079, align 32
  %1089 = getelementptr inbounds nuw i8, ptr %1078, i64 96
  %1090 = load <8 x float>, ptr %1089, align 32
  %1091 = load <8 x float>, ptr %1078, align 32
  %1092 = getelementptr inbounds nuw i8, ptr %1078, i64 32
  %1093 = load <8 x float>, ptr %1092, align 32
  %1094 = fadd <8 x float> %1085, %1091
  %1095 = fadd <8 x float> %1087, %1093
  %1096 = fsub <8 x float> %1091, %1085
  %1097 = fsub <8 x float> %1093, %1087
  %1098 = fadd <8 x float> %1082, %1088
  %1099 = fadd <8 x float> %1084, %1090
  %1100 = fsub <8 x float> %1088, %1082
  %1101 = fsub <8 x float> %1090, %1084
  %1102 = fadd <8 x float> %1098, %1094
  %1103 = fadd <8 x float> %1099, %1095
  %1104 = fadd <8 x float> %1101, %1096
  %1105 = fsub <8 x float> %1097, %1100
  %1106 = fsub <8 x float> %1094, %1098
  %1107 = fsub <8 x float> %1095, %1099
  %1108 = fsub <8 x float> %1096, %1101
  %1109 = fadd <8 x float> %1100, %1097
  store <8 x float> %1102, ptr %1078, align 32
  store <8 x float> %1103, ptr %1092, align 32
  store <8 x float> %1104, ptr %1079, align 32
  store <8 x float> %1105, ptr %1089, align 32
  store <8 x float> %1106, ptr %1080, align 32
  store <8 x float> %1107, ptr %1086, align 32
  store <8 x float> %1108, ptr %1081, align 32
  store <8 x float> %1109, ptr %1083, align 32
  %1110 = add nuw nsw i64 %1077, 4
  %1111 = icmp slt i64 %1110, %738
  br i1 %1111, label %1076, label %1717

1112:
  %1113 = sdiv i64 %745, 4
  br i1 %743, label %1114, label %1717

1114:
  %1115 = icmp sgt i64 %745, 3
  %1116 = shl nsw i64 %1113, 7
  %1117 = mul nsw i64 %1113, 192
  br label %1118

1118:
  %1119 = phi i64 [ 0, %1114 ], [ %1123, %1122 ]
  br i1 %1115, label %1120, label %1122

1120:
  %1121 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1119
  br label %1125

1122:
  %1123 = add i64 %1119, %745
  %1124 = icmp slt i64 %1123, %738
  br i1 %1124, label %1118, label %1717

1125:
  %1126 = phi i64 [ 0, %1120 ], [ %1205, %1125 ]
  %1127 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1121, i64 %1126
  %1128 = mul i64 %1126, 24
  %1129 = getelementptr inbounds i8, ptr %746, i64 %1128
  %1130 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1127, i64 %1113
  %1131 = getelementptr inbounds nuw i8, ptr %1127, i64 %1116
  %1132 = getelementptr inbounds nuw i8, ptr %1127, i64 %1117
  %1133 = load <8 x float>, ptr %1132, align 32
  %1134 = getelementptr inbounds nuw i8, ptr %1132, i64 32
  %1135 = load <8 x float>, ptr %1134, align 32
  %1136 = load <8 x float>, ptr %1131, align 32
  %1137 = getelementptr inbounds nuw i8, ptr %1131, i64 32
  %1138 = load <8 x float>, ptr %1137, align 32
  %1139 = load <8 x float>, ptr %1130, align 32
  %1140 = getelementptr inbounds nuw i8, ptr %1130, i64 32
  %1141 = load <8 x float>, ptr %1140, align 32
  %1142 = load <8 x float>, ptr %1127, align 32
  %1143 = getelementptr inbounds nuw i8, ptr %1127, i64 32
  %1144 = load <8 x float>, ptr %1143, align 32
  %1145 = fadd <8 x float> %1136, %1142
  %1146 = fadd <8 x float> %1138, %1144
  %1147 = fsub <8 x float> %1142, %1136
  %1148 = fsub <8 x float> %1144, %1138
  %1149 = fadd <8 x float> %1133, %1139
  %1150 = fadd <8 x float> %1135, %1141
  %1151 = fsub <8 x float> %1139, %1133
  %1152 = fsub <8 x float> %1141, %1135
  %1153 = fadd <8 x float> %1149, %1145
  %1154 = fadd <8 x float> %1150, %1146
  %1155 = fadd <8 x float> %1152, %1147
  %1156 = fsub <8 x float> %1148, %1151
  %1157 = fsub <8 x float> %1145, %1149
  %1158 = fsub <8 x float> %1146, %1150
  %1159 = fsub <8 x float> %1147, %1152
  %1160 = fadd <8 x float> %1151, %1148
  store <8 x float> %1153, ptr %1127, align 32
  store <8 x float> %1154, ptr %1143, align 32
  %1161 = load float, ptr %1129, align 4
  %1162 = insertelement <8 x float> poison, float %1161, i64 0
  %1163 = shufflevector <8 x float> %1162, <8 x float> poison, <8 x i32> zeroinitializer
  %1164 = getelementptr inbounds nuw i8, ptr %1129, i64 4
  %1165 = load float, ptr %1164, align 4
  %1166 = insertelement <8 x float> poison, float %1165, i64 0
  %1167 = fneg float %1165
  %1168 = insertelement <8 x float> poison, float %1167, i64 0
  %1169 = shufflevector <8 x float> %1168, <8 x float> poison, <8 x i32> zeroinitializer
  %1170 = fmul <8 x float> %1156, %1169
  %1171 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1155, <8 x float> %1163, <8 x float> %1170)
  %1172 = shufflevector <8 x float> %1166, <8 x float> poison, <8 x i32> zeroinitializer
  %1173 = fmul <8 x float> %1155, %1172
  %1174 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1156, <8 x float> %1163, <8 x float> %1173)
  store <8 x float> %1171, ptr %1130, align 32
  store <8 x float> %1174, ptr %1140, align 32
  %1175 = getelementptr inbounds nuw i8, ptr %1129, i64 8
  %1176 = load float, ptr %1175, align 4
  %1177 = insertelement <8 x float> poison, float %1176, i64 0
  %1178 = shufflevector <8 x float> %1177, <8 x float> poison, <8 x i32> zeroinitializer
  %1179 = getelementptr inbounds nuw i8, ptr %1129, i64 12
  %1180 = load float, ptr %1179, align 4
  %1181 = insertelement <8 x float> poison, float %1180, i64 0
  %1182 = fneg float %1180
  %1183 = insertelement <8 x float> poison, float %1182, i64 0
  %1184 = shufflevector <8 x float> %1183, <8 x float> poison, <8 x i32> zeroinitializer
  %1185 = fmul <8 x float> %1158, %1184
  %1186 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1157, <8 x float> %1178, <8 x float> %1185)
  %1187 = shufflevector <8 x float> %1181, <8 x float> poison, <8 x i32> zeroinitializer
  %1188 = fmul <8 x float> %1157, %1187
  %1189 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1158, <8 x float> %1178, <8 x float> %1188)
  store <8 x float> %1186, ptr %1131, align 32
  store <8 x float> %1189, ptr %1137, align 32
  %1190 = getelementptr inbounds nuw i8, ptr %1129, i64 16
  %1191 = load float, ptr %1190, align 4
  %1192 = insertelement <8 x float> poison, float %1191, i64 0
  %1193 = shufflevector <8 x float> %1192, <8 x float> poison, <8 x i32> zeroinitializer
  %1194 = getelementptr inbounds nuw i8, ptr %1129, i64 20
  %1195 = load float, ptr %1194, align 4
  %1196 = insertelement <8 x float> poison, float %1195, i64 0
  %1197 = fneg float %1195
  %1198 = insertelement <8 x float> poison, float %1197, i64 0
  %1199 = shufflevector <8 x float> %1198, <8 x float> poison, <8 x i32> zeroinitializer
  %1200 = fmul <8 x float> %1160, %1199
  %1201 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1159, <8 x float> %1193, <8 x float> %1200)
  %1202 = shufflevector <8 x float> %1196, <8 x float> poison, <8 x i32> zeroinitializer
  %1203 = fmul <8 x float> %1159, %1202
  %1204 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1160, <8 x float> %1193, <8 x float> %1203)
  store <8 x float> %1201, ptr %1132, align 32
  store <8 x float> %1204, ptr %1134, align 32
  %1205 = add nuw nsw i64 %1126, 1
  %1206 = icmp eq i64 %1205, %1113
  br i1 %1206, label %1122, label %1125

1207:
  br i1 %750, label %1208, label %1270

1208:
  br i1 %743, label %1209, label %1717

1209:
  %1210 = phi i64 [ %1268, %1209 ], [ 0, %1208 ]
  %1211 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1210
  %1212 = load <8 x float>, ptr %1211, align 32
  %1213 = getelementptr inbounds nuw i8, ptr %1211, i64 32
  %1214 = load <8 x float>, ptr %1213, align 32
  %1215 = getelementptr inbounds nuw i8, ptr %1211, i64 64
  %1216 = getelementptr inbounds nuw i8, ptr %1211, i64 256
  %1217 = load <8 x float>, ptr %1216, align 32
  %1218 = getelementptr inbounds nuw i8, ptr %1211, i64 288
  %1219 = load <8 x float>, ptr %1218, align 32
  %1220 = load <8 x float>, ptr %1215, align 32
  %1221 = getelementptr inbounds nuw i8, ptr %1211, i64 96
  %1222 = load <8 x float>, ptr %1221, align 32
  %1223 = fadd <8 x float> %1217, %1220
  %1224 = fadd <8 x float> %1219, %1222
  %1225 = fsub <8 x float> %1220, %1217
  %1226 = fsub <8 x float> %1222, %1219
  %1227 = fneg <8 x float> %1225
  %1228 = getelementptr inbounds nuw i8, ptr %1211, i64 128
  %1229 = getelementptr inbounds nuw i8, ptr %1211, i64 192
  %1230 = load <8 x float>, ptr %1229, align 32
  %1231 = getelementptr inbounds nuw i8, ptr %1211, i64 224
  %1232 = load <8 x float>, ptr %1231, align 32
  %1233 = load <8 x float>, ptr %1228, align 32
  %1234 = getelementptr inbounds nuw i8, ptr %1211, i64 160
  %1235 = load <8 x float>, ptr %1234, align 32
  %1236 = fadd <8 x float> %1230, %1233
  %1237 = fadd <8 x float> %1232, %1235
  %1238 = fsub <8 x float> %1233, %1230
  %1239 = fsub <8 x float> %1235, %1232
  %1240 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1223, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1212)
  %1241 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1236, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1240)
  %1242 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1224, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1214)
  %1243 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1237, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1242)
  %1244 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1223, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1212)
  %1245 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1236, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1244)
  %1246 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1224, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1214)
  %1247 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1237, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1246)
  %1248 = fmul <8 x float> %1239, splat (float 0x3FE2CF2300000000)
  %1249 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1226, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1248)
  %1250 = fmul <8 x float> %1238, splat (float 0xBFE2CF2300000000)
  %1251 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1227, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1250)
  %1252 = fmul <8 x float> %1239, splat (float 0xBFEE6F0E20000000)
  %1253 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1226, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1252)
  %1254 = fmul <8 x float> %1238, splat (float 0x3FEE6F0E20000000)
  %1255 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1227, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1254)
  %1256 = fadd <8 x float> %1223, %1236
  %1257 = fadd <8 x float> %1224, %1237
  %1258 = fadd <8 x float> %1212, %1256
  %1259 = fadd <8 x float> %1214, %1257
  store <8 x float> %1258, ptr %1211, align 32
  store <8 x float> %1259, ptr %1213, align 32
  %1260 = fadd <8 x float> %1241, %1249
  %1261 = fadd <8 x float> %1243, %1251
  store <8 x float> %1260, ptr %1215, align 32
  store <8 x float> %1261, ptr %1221, align 32
  %1262 = fadd <8 x float> %1245, %1253
  %1263 = fadd <8 x float> %1247, %1255
  store <8 x float> %1262, ptr %1228, align 32
  store <8 x float> %1263, ptr %1234, align 32
  %1264 = fsub <8 x float> %1245, %1253
  %1265 = fsub <8 x float> %1247, %1255
  store <8 x float> %1264, ptr %1229, align 32
  store <8 x float> %1265, ptr %1231, align 32
  %1266 = fsub <8 x float> %1241, %1249
  %1267 = fsub <8 x float> %1243, %1251
  store <8 x float> %1266, ptr %1216, align 32
  store <8 x float> %1267, ptr %1218, align 32
  %1268 = add i64 %1210, 5
  %1269 = icmp slt i64 %1268, %738
  br i1 %1269, label %1209, label %1717

1270:
  %1271 = sdiv i64 %745, 5
  br i1 %743, label %1272, label %1717

1272:
  %1273 = icmp sgt i64 %745, 4
  %1274 = shl nsw i64 %1271, 8
  %1275 = shl nsw i64 %1271, 7
  %1276 = mul nsw i64 %1271, 192
  br label %1277

1277:
  %1278 = phi i64 [ 0, %1272 ], [ %1282, %1281 ]
  br i1 %1273, label %1279, label %1281

1279:
  %1280 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1278
  br label %1284

1281:
  %1282 = add i64 %1278, %745
  %1283 = icmp slt i64 %1282, %738
  br i1 %1283, label %1277, label %1717

1284:
  %1285 = phi i64 [ 0, %1279 ], [ %1404, %1284 ]
  %1286 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1280, i64 %1285
  %1287 = load <8 x float>, ptr %1286, align 32
  %1288 = getelementptr inbounds nuw i8, ptr %1286, i64 32
  %1289 = load <8 x float>, ptr %1288, align 32
  %1290 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1286, i64 %1271
  %1291 = getelementptr inbounds nuw i8, ptr %1286, i64 %1274
  %1292 = load <8 x float>, ptr %1291, align 32
  %1293 = getelementptr inbounds nuw i8, ptr %1291, i64 32
  %1294 = load <8 x float>, ptr %1293, align 32
  %1295 = load <8 x float>, ptr %1290, align 32
  %1296 = getelementptr inbounds nuw i8, ptr %1290, i64 32
  %1297 = load <8 x float>, ptr %1296, align 32
  %1298 = fadd <8 x float> %1292, %1295
  %1299 = fadd <8 x float> %1294, %1297
  %1300 = fsub <8 x float> %1295, %1292
  %1301 = fsub <8 x float> %1297, %1294
  %1302 = fneg <8 x float> %1300
  %1303 = getelementptr inbounds nuw i8, ptr %1286, i64 %1275
  %1304 = getelementptr inbounds nuw i8, ptr %1286, i64 %1276
  %1305 = load <8 x float>, ptr %1304, align 32
  %1306 = getelementptr inbounds nuw i8, ptr %1304, i64 32
  %1307 = load <8 x float>, ptr %1306, align 32
  %1308 = load <8 x float>, ptr %1303, align 32
  %1309 = getelementptr inbounds nuw i8, ptr %1303, i64 32
  %1310 = load <8 x float>, ptr %1309, align 32
  %1311 = fadd <8 x float> %1305, %1308
  %1312 = fadd <8 x float> %1307, %1310
  %1313 = fsub <8 x float> %1308, %1305
  %1314 = fsub <8 x float> %1310, %1307
  %1315 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1298, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1287)
  %1316 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1311, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1315)
  %1317 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1299, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1289)
  %1318 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1312, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1317)
  %1319 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1298, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1287)
  %1320 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1311, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1319)
  %1321 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1299, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %1289)
  %1322 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1312, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %1321)
  %1323 = fmul <8 x float> %1314, splat (float 0x3FE2CF2300000000)
  %1324 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1301, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1323)
  %1325 = fmul <8 x float> %1313, splat (float 0xBFE2CF2300000000)
  %1326 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1302, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %1325)
  %1327 = fmul <8 x float> %1314, splat (float 0xBFEE6F0E20000000)
  %1328 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1301, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1327)
  %1329 = fmul <8 x float> %1313, splat (float 0x3FEE6F0E20000000)
  %1330 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1302, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %1329)
  %1331 = shl i64 %1285, 5
  %1332 = getelementptr inbounds i8, ptr %746, i64 %1331
  %1333 = fadd <8 x float> %1298, %1311
  %1334 = fadd <8 x float> %1299, %1312
  %1335 = fadd <8 x float> %1287, %1333
  %1336 = fadd <8 x float> %1289, %1334
  store <8 x float> %1335, ptr %1286, align 32
  store <8 x float> %1336, ptr %1288, align 32
  %1337 = fadd <8 x float> %1316, %1324
  %1338 = fadd <8 x float> %1318, %1326
  %1339 = load float, ptr %1332, align 4
  %1340 = insertelement <8 x float> poison, float %1339, i64 0
  %1341 = shufflevector <8 x float> %1340, <8 x float> poison, <8 x i32> zeroinitializer
  %1342 = getelementptr inbounds nuw i8, ptr %1332, i64 4
  %1343 = load float, ptr %1342, align 4
  %1344 = insertelement <8 x float> poison, float %1343, i64 0
  %1345 = fneg float %1343
  %1346 = insertelement <8 x float> poison, float %1345, i64 0
  %1347 = shufflevector <8 x float> %1346, <8 x float> poison, <8 x i32> zeroinitializer
  %1348 = fmul <8 x float> %1338, %1347
  %1349 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1337, <8 x float> %1341, <8 x float> %1348)
  %1350 = shufflevector <8 x float> %1344, <8 x float> poison, <8 x i32> zeroinitializer
  %1351 = fmul <8 x float> %1337, %1350
  %1352 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1338, <8 x float> %1341, <8 x float> %1351)
  store <8 x float> %1349, ptr %1290, align 32
  store <8 x float> %1352, ptr %1296, align 32
  %1353 = fadd <8 x float> %1320, %1328
  %1354 = fadd <8 x float> %1322, %1330
  %1355 = getelementptr inbounds nuw i8, ptr %1332, i64 8
  %1356 = load float, ptr %1355, align 4
  %1357 = insertelement <8 x float> poison, float %1356, i64 0
  %1358 = shufflevector <8 x float> %1357, <8 x float> poison, <8 x i32> zeroinitializer
  %1359 = getelementptr inbounds nuw i8, ptr %1332, i64 12
  %1360 = load float, ptr %1359, align 4
  %1361 = insertelement <8 x float> poison, float %1360, i64 0
  %1362 = fneg float %1360
  %1363 = insertelement <8 x float> poison, float %1362, i64 0
  %1364 = shufflevector <8 x float> %1363, <8 x float> poison, <8 x i32> zeroinitializer
  %1365 = fmul <8 x float> %1354, %1364
  %1366 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1353, <8 x float> %1358, <8 x float> %1365)
  %1367 = shufflevector <8 x float> %1361, <8 x float> poison, <8 x i32> zeroinitializer
  %1368 = fmul <8 x float> %1353, %1367
  %1369 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1354, <8 x float> %1358, <8 x float> %1368)
  store <8 x float> %1366, ptr %1303, align 32
  store <8 x float> %1369, ptr %1309, align 32
  %1370 = fsub <8 x float> %1320, %1328
  %1371 = fsub <8 x float> %1322, %1330
  %1372 = getelementptr inbounds nuw i8, ptr %1332, i64 16
  %1373 = load float, ptr %1372, align 4
  %1374 = insertelement <8 x float> poison, float %1373, i64 0
  %1375 = shufflevector <8 x float> %1374, <8 x float> poison, <8 x i32> zeroinitializer
  %1376 = getelementptr inbounds nuw i8, ptr %1332, i64 20
  %1377 = load float, ptr %1376, align 4
  %1378 = insertelement <8 x float> poison, float %1377, i64 0
  %1379 = fneg float %1377
  %1380 = insertelement <8 x float> poison, float %1379, i64 0
  %1381 = shufflevector <8 x float> %1380, <8 x float> poison, <8 x i32> zeroinitializer
  %1382 = fmul <8 x float> %1371, %1381
  %1383 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1370, <8 x float> %1375, <8 x float> %1382)
  %1384 = shufflevector <8 x float> %1378, <8 x float> poison, <8 x i32> zeroinitializer
  %1385 = fmul <8 x float> %1370, %1384
  %1386 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1371, <8 x float> %1375, <8 x float> %1385)
  store <8 x float> %1383, ptr %1304, align 32
  store <8 x float> %1386, ptr %1306, align 32
  %1387 = fsub <8 x float> %1316, %1324
  %1388 = fsub <8 x float> %1318, %1326
  %1389 = getelementptr inbounds nuw i8, ptr %1332, i64 24
  %1390 = load float, ptr %1389, align 4
  %1391 = insertelement <8 x float> poison, float %1390, i64 0
  %1392 = shufflevector <8 x float> %1391, <8 x float> poison, <8 x i32> zeroinitializer
  %1393 = getelementptr inbounds nuw i8, ptr %1332, i64 28
  %1394 = load float, ptr %1393, align 4
  %1395 = insertelement <8 x float> poison, float %1394, i64 0
  %1396 = fneg float %1394
  %1397 = insertelement <8 x float> poison, float %1396, i64 0
  %1398 = shufflevector <8 x float> %1397, <8 x float> poison, <8 x i32> zeroinitializer
  %1399 = fmul <8 x float> %1388, %1398
  %1400 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1387, <8 x float> %1392, <8 x float> %1399)
  %1401 = shufflevector <8 x float> %1395, <8 x float> poison, <8 x i32> zeroinitializer
  %1402 = fmul <8 x float> %1387, %1401
  %1403 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1388, <8 x float> %1392, <8 x float> %1402)
  store <8 x float> %1400, ptr %1291, align 32
  store <8 x float> %1403, ptr %1293, align 32
  %1404 = add nuw nsw i64 %1285, 1
  %1405 = icmp eq i64 %1404, %1271
  br i1 %1405, label %1281, label %1284

1406:
  br i1 %750, label %1407, label %1501

1407:
  br i1 %743, label %1408, label %1717

1408:
  %1409 = phi i64 [ %1499, %1408 ], [ 0, %1407 ]
  %1410 = getelementptr inbounds nuw %struct.Complex_f32, ptr %688, i64 %1409
  %1411 = getelementptr inbounds nuw i8, ptr %1410, i64 64
  %1412 = getelementptr inbounds nuw i8, ptr %1410, i64 320
  %1413 = load <8 x float>, ptr %1412, align 32
  %1414 = getelementptr inbounds nuw i8, ptr %1410, i64 352
  %1415 = load <8 x float>, ptr %1414, align 32
  %1416 = load <8 x float>, ptr %1411, align 32
  %1417 = getelementptr inbounds nuw i8, ptr %1410, i64 96
  %1418 = load <8 x float>, ptr %1417, align 32
  %1419 = fsub <8 x float> %1416, %1413
  %1420 = fsub <8 x float> %1418, %1415
  %1421 = getelementptr inbounds nuw i8, ptr %1410, i64 192
  %1422 = getelementptr inbounds nuw i8, ptr %1410, i64 448
  %1423 = load <8 x float>, ptr %1422, align 32
  %1424 = getelementptr inbounds nuw i8, ptr %1410, i64 480
  %1425 = load <8 x float>, ptr %1424, align 32
  %1426 = load <8 x float>, ptr %1421, align 32
  %1427 = getelementptr inbounds nuw i8, ptr %1410, i64 224
  %1428 = load <8 x float>, ptr %1427, align 32
  %1429 = fsub <8 x float> %1426, %1423
  %1430 = fsub <8 x float> %1428, %1425
  %1431 = fadd <8 x float> %1419, %1420
  %1432 = fmul <8 x float> %1431, splat (float 0x3FE6A09E60000000)
  %1433 = fsub <8 x float> %1420, %1419
  %1434 = fmul <8 x float> %1433, splat (float 0x3FE6A09E60000000)
  %1435 = fsub <8 x float> %1430, %1429
  %1436 = fmul <8 x float> %1435, splat (float 0x3FE6A09E60000000)
  %1437 = fneg <8 x float> %1429
  %1438 = fsub <8 x float> %1437, %1430
  %1439 = fmul <8 x float> %1438, splat (float 0x3FE6A09E60000000)
  %1440 = getelementptr inbounds nuw i8, ptr %1410, i64 256
  %1441 = load <8 x float>, ptr %1440, align 32
  %1442 = getelementptr inbounds nuw i8, ptr %1410, i64 288
  %1443 = load <8 x float>, ptr %1442, align 32
  %1444 = load <8 x float>, ptr %1410, align 32
  %1445 = getelementptr inbounds nuw i8, ptr %1410, i64 32
  %1446 = load <8 x float>, ptr %1445, align 32
  %1447 = fsub <8 x float> %1444, %1441
  %1448 = fsub <8 x float> %1446, %1443
  %1449 = getelementptr inbounds nuw i8, ptr %1410, i64 128
  %1450 = getelementptr inbounds nuw i8, ptr %1410, i64 384
  %1451 = load <8 x float>, ptr %1450, align 32
  %1452 = getelementptr inbounds nuw i8, ptr %1410, i64 416
  %1453 = load <8 x float>, ptr %1452, align 32
  %1454 = load <8 x float>, ptr %1449, align 32
  %1455 = getelementptr inbounds nuw i8, ptr %1410, i64 160
  %1456 = load <8 x float>, ptr %1455, align 32
  %1457 = fsub <8 x float> %1454, %1451
  %1458 = fsub <8 x float> %1456, %1453
  %1459 = fadd <8 x float> %1447, %1458
  %1460 = fsub <8 x float> %1448, %1457
  %1461 = fsub <8 x float> %1447, %1458
  %1462 = fadd <8 x float> %1448, %1457
  %1463 = fadd <8 x float> %1432, %1436
  %1464 = fadd <8 x float> %1434, %1439
  %1465 = fsub <8 x float> %1432, %1436
  %1466 = fsub <8 x float> %1434, %1439
  %1467 = fadd <8 x float> %1463, %1459
  %1468 = fadd <8 x float> %1464, %1460
  %1469 = fadd <8 x float> %1466, %1461
  %1470 = fsub <8 x float> %1462, %1465
  %1471 = fsub <8 x float> %1459, %1463
  %1472 = fsub <8 x float> %1460, %1464
  %1473 = fsub <8 x float> %1461, %1466
  %1474 = fadd <8 x float> %1465, %1462
  %1475 = fadd <8 x float> %1441, %1444
  %1476 = fadd <8 x float> %1443, %1446
  %1477 = fadd <8 x float> %1413, %1416
  %1478 = fadd <8 x float> %1415, %1418
  %1479 = fadd <8 x float> %1451, %1454
  %1480 = fadd <8 x float> %1453, %1456
  %1481 = fadd <8 x float> %1423, %1426
  %1482 = fadd <8 x float> %1425, %1428
  %1483 = fadd <8 x float> %1475, %1479
  %1484 = fadd <8 x float> %1476, %1480
  %1485 = fsub <8 x float> %1475, %1479
  %1486 = fsub <8 x float> %1476, %1480
  %1487 = fadd <8 x float> %1477, %1481
  %1488 = fadd <8 x float> %1478, %1482
  %1489 = fsub <8 x float> %1477, %1481
  %1490 = fsub <8 x float> %1478, %1482
  %1491 = fadd <8 x float> %1487, %1483
  %1492 = fadd <8 x float> %1488, %1484
  %1493 = fadd <8 x float> %1490, %1485
  %1494 = fsub <8 x float> %1486, %1489
  %1495 = fsub <8 x float> %1483, %1487
  %1496 = fsub <8 x float> %1484, %1488
  %1497 = fsub <8 x float> %1485, %1490
  %1498 = fadd <8 x float> %1489, %1486
  store <8 x float> %1491, ptr %1410, align 32
  store <8 x float> %1492, ptr %1445, align 32
  store <8 x float> %1467, ptr %1411, align 32
  store <8 x float> %1468, ptr %1417, align 32
  store <8 x float> %1493, ptr %1449, align 32
  store <8 x float> %1494, ptr %1455, align 32
  store <8 x float> %1469, ptr %1421, align 32
  store <8 x float> %1470, ptr %1427, align 32
  store <8 x float> %1495, ptr %1440, align 32
  store <8 x float> %1496, ptr %1442, align 32
  store <8 x float> %1471, ptr %1412, align 32
  store <8 x float> %1472, ptr %1414, align 32
  store <8 x float> %1497, ptr %1450, align 32
  store <8 x float> %1498, ptr %1452, align 32
  store <8 x float> %1473, ptr %1422, align 32
  store <8 x float> %1474, ptr %1424, align 32
  %1499 = add nuw nsw i64 %1409, 8
  %1500 = icmp slt i64 %1499, %738
  br i1 %1500, label %1408, label %1717

1501:
  %1502 = sdiv i64 %745, 8
  br i1 %743, label %1503, label %1717

1503:
  %1504 = icmp sgt i64 %745, 7
  %1505 = mul nsw i64 %1502, 320
  %1506 = mul nsw i64 %1502, 192
  %1507 = mul nsw i64 %1502, 448
  %1508 = shl nsw i64 %1502, 8
  %1509 = shl nsw i64 %1502, 7
  %1510 = mul nsw i64 %1502, 384
  br label %1511

1511:
  %1512 = phi i64 [ 0, %1503 ], [ %1516, %1515 ]
  br i1 %1504, label %1513, label %1515

1513:
  %1514 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1512
  br label %1518

1515:
  %1516 = add i64 %1512, %745
  %1517 = icmp slt i64 %1516, %738
  br i1 %1517, label %1511, label %1717

1518:
  %1519 = phi i64 [ 0, %1513 ], [ %1715, %1518 ]
  %1520 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1514, i64 %1519
  %1521 = mul i64 %1519, 56
  %1522 = getelementptr inbounds i8, ptr %746, i64 %1521
  %1523 = getelementptr inbounds nuw %struct.Complex_f32, ptr %1520, i64 %1502
  %1524 = getelementptr inbounds nuw i8, ptr %1520, i64 %1505
  %1525 = load <8 x float>, ptr %1524, align 32
  %1526 = getelementptr inbounds nuw i8, ptr %1524, i64 32
  %1527 = load <8 x float>, ptr %1526, align 32
  %1528 = load <8 x float>, ptr %1523, align 32
  %1529 = getelementptr inbounds nuw i8, ptr %1523, i64 32
  %1530 = load <8 x float>, ptr %1529, align 32
  %1531 = fsub <8 x float> %1528, %1525
  %1532 = fsub <8 x float> %1530, %1527
  %1533 = getelementptr inbounds nuw i8, ptr %1520, i64 %1506
  %1534 = getelementptr inbounds nuw i8, ptr %1520, i64 %1507
  %1535 = load <8 x float>, ptr %1534, align 32
  %1536 = getelementptr inbounds nuw i8, ptr %1534, i64 32
  %1537 = load <8 x float>, ptr %1536, align 32
  %1538 = load <8 x float>, ptr %1533, align 32
  %1539 = getelementptr inbounds nuw i8, ptr %1533, i64 32
  %1540 = load <8 x float>, ptr %1539, align 32
  %1541 = fsub <8 x float> %1538, %1535
  %1542 = fsub <8 x float> %1540, %1537
  %1543 = fadd <8 x float> %1531, %1532
  %1544 = fmul <8 x float> %1543, splat (float 0x3FE6A09E60000000)
  %1545 = fsub <8 x float> %1532, %1531
  %1546 = fmul <8 x float> %1545, splat (float 0x3FE6A09E60000000)
  %1547 = fsub <8 x float> %1542, %1541
  %1548 = fmul <8 x float> %1547, splat (float 0x3FE6A09E60000000)
  %1549 = fneg <8 x float> %1541
  %1550 = fsub <8 x float> %1549, %1542
  %1551 = fmul <8 x float> %1550, splat (float 0x3FE6A09E60000000)
  %1552 = getelementptr inbounds nuw i8, ptr %1520, i64 %1508
  %1553 = load <8 x float>, ptr %1552, align 32
  %1554 = getelementptr inbounds nuw i8, ptr %1552, i64 32
  %1555 = load <8 x float>, ptr %1554, align 32
  %1556 = load <8 x float>, ptr %1520, align 32
  %1557 = getelementptr inbounds nuw i8, ptr %1520, i64 32
  %1558 = load <8 x float>, ptr %1557, align 32
  %1559 = fsub <8 x float> %1556, %1553
  %1560 = fsub <8 x float> %1558, %1555
  %1561 = getelementptr inbounds nuw i8, ptr %1520, i64 %1509
  %1562 = getelementptr inbounds nuw i8, ptr %1520, i64 %1510
  %1563 = load <8 x float>, ptr %1562, align 32
  %1564 = getelementptr inbounds nuw i8, ptr %1562, i64 32
  %1565 = load <8 x float>, ptr %1564, align 32
  %1566 = load <8 x float>, ptr %1561, align 32
  %1567 = getelementptr inbounds nuw i8, ptr %1561, i64 32
  %1568 = load <8 x float>, ptr %1567, align 32
  %1569 = fsub <8 x float> %1566, %1563
  %1570 = fsub <8 x float> %1568, %1565
  %1571 = fadd <8 x float> %1559, %1570
  %1572 = fsub <8 x float> %1560, %1569
  %1573 = fsub <8 x float> %1559, %1570
  %1574 = fadd <8 x float> %1560, %1569
  %1575 = fadd <8 x float> %1544, %1548
  %1576 = fadd <8 x float> %1546, %1551
  %1577 = fsub <8 x float> %1544, %1548
  %1578 = fsub <8 x float> %1546, %1551
  %1579 = fadd <8 x float> %1575, %1571
  %1580 = fadd <8 x float> %1576, %1572
  %1581 = fadd <8 x float> %1578, %1573
  %1582 = fsub <8 x float> %1574, %1577
  %1583 = fsub <8 x float> %1571, %1575
  %1584 = fsub <8 x float> %1572, %1576
  %1585 = fsub <8 x float> %1573, %1578
  %1586 = fadd <8 x float> %1577, %1574
  %1587 = fadd <8 x float> %1553, %1556
  %1588 = fadd <8 x float> %1555, %1558
  %1589 = fadd <8 x float> %1525, %1528
  %1590 = fadd <8 x float> %1527, %1530
  %1591 = fadd <8 x float> %1563, %1566
  %1592 = fadd <8 x float> %1565, %1568
  %1593 = fadd <8 x float> %1535, %1538
  %1594 = fadd <8 x float> %1537, %1540
  %1595 = fadd <8 x float> %1587, %1591
  %1596 = fadd <8 x float> %1588, %1592
  %1597 = fsub <8 x float> %1587, %1591
  %1598 = fsub <8 x float> %1588, %1592
  %1599 = fadd <8 x float> %1589, %1593
  %1600 = fadd <8 x float> %1590, %1594
  %1601 = fsub <8 x float> %1589, %1593
  %1602 = fsub <8 x float> %1590, %1594
  %1603 = fadd <8 x float> %1599, %1595
  %1604 = fadd <8 x float> %1600, %1596
  %1605 = fadd <8 x float> %1602, %1597
  %1606 = fsub <8 x float> %1598, %1601
  %1607 = fsub <8 x float> %1595, %1599
  %1608 = fsub <8 x float> %1596, %1600
  %1609 = fsub <8 x float> %1597, %1602
  %1610 = fadd <8 x float> %1601, %1598
  store <8 x float> %1603, ptr %1520, align 32
  store <8 x float> %1604, ptr %1557, align 32
  %1611 = load float, ptr %1522, align 4
  %1612 = insertelement <8 x float> poison, float %1611, i64 0
  %1613 = shufflevector <8 x float> %1612, <8 x float> poison, <8 x i32> zeroinitializer
  %1614 = getelementptr inbounds nuw i8, ptr %1522, i64 4
  %1615 = load float, ptr %1614, align 4
  %1616 = insertelement <8 x float> poison, float %1615, i64 0
  %1617 = fneg float %1615
  %1618 = insertelement <8 x float> poison, float %1617, i64 0
  %1619 = shufflevector <8 x float> %1618, <8 x float> poison, <8 x i32> zeroinitializer
  %1620 = fmul <8 x float> %1580, %1619
  %1621 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1579, <8 x float> %1613, <8 x float> %1620)
  %1622 = shufflevector <8 x float> %1616, <8 x float> poison, <8 x i32> zeroinitializer
  %1623 = fmul <8 x float> %1579, %1622
  %1624 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1580, <8 x float> %1613, <8 x float> %1623)
  store <8 x float> %1621, ptr %1523, align 32
  store <8 x float> %1624, ptr %1529, align 32
  %1625 = getelementptr inbounds nuw i8, ptr %1522, i64 8
  %1626 = load float, ptr %1625, align 4
  %1627 = insertelement <8 x float> poison, float %1626, i64 0
  %1628 = shufflevector <8 x float> %1627, <8 x float> poison, <8 x i32> zeroinitializer
  %1629 = getelementptr inbounds nuw i8, ptr %1522, i64 12
  %1630 = load float, ptr %1629, align 4
  %1631 = insertelement <8 x float> poison, float %1630, i64 0
  %1632 = fneg float %1630
  %1633 = insertelement <8 x float> poison, float %1632, i64 0
  %1634 = shufflevector <8 x float> %1633, <8 x float> poison, <8 x i32> zeroinitializer
  %1635 = fmul <8 x float> %1606, %1634
  %1636 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1605, <8 x float> %1628, <8 x float> %1635)
  %1637 = shufflevector <8 x float> %1631, <8 x float> poison, <8 x i32> zeroinitializer
  %1638 = fmul <8 x float> %1605, %1637
  %1639 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1606, <8 x float> %1628, <8 x float> %1638)
  store <8 x float> %1636, ptr %1561, align 32
  store <8 x float> %1639, ptr %1567, align 32
  %1640 = getelementptr inbounds nuw i8, ptr %1522, i64 16
  %1641 = load float, ptr %1640, align 4
  %1642 = insertelement <8 x float> poison, float %1641, i64 0
  %1643 = shufflevector <8 x float> %1642, <8 x float> poison, <8 x i32> zeroinitializer
  %1644 = getelementptr inbounds nuw i8, ptr %1522, i64 20
  %1645 = load float, ptr %1644, align 4
  %1646 = insertelement <8 x float> poison, float %1645, i64 0
  %1647 = fneg float %1645
  %1648 = insertelement <8 x float> poison, float %1647, i64 0
  %1649 = shufflevector <8 x float> %1648, <8 x float> poison, <8 x i32> zeroinitializer
  %1650 = fmul <8 x float> %1582, %1649
  %1651 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1581, <8 x float> %1643, <8 x float> %1650)
  %1652 = shufflevector <8 x float> %1646, <8 x float> poison, <8 x i32> zeroinitializer
  %1653 = fmul <8 x float> %1581, %1652
  %1654 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1582, <8 x float> %1643, <8 x float> %1653)
  store <8 x float> %1651, ptr %1533, align 32
  store <8 x float> %1654, ptr %1539, align 32
  %1655 = getelementptr inbounds nuw i8, ptr %1522, i64 24
  %1656 = load float, ptr %1655, align 4
  %1657 = insertelement <8 x float> poison, float %1656, i64 0
  %1658 = shufflevector <8 x float> %1657, <8 x float> poison, <8 x i32> zeroinitializer
  %1659 = getelementptr inbounds nuw i8, ptr %1522, i64 28
  %1660 = load float, ptr %1659, align 4
  %1661 = insertelement <8 x float> poison, float %1660, i64 0
  %1662 = fneg float %1660
  %1663 = insertelement <8 x float> poison, float %1662, i64 0
  %1664 = shufflevector <8 x float> %1663, <8 x float> poison, <8 x i32> zeroinitializer
  %1665 = fmul <8 x float> %1608, %1664
  %1666 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1607, <8 x float> %1658, <8 x float> %1665)
  %1667 = shufflevector <8 x float> %1661, <8 x float> poison, <8 x i32> zeroinitializer
  %1668 = fmul <8 x float> %1607, %1667
  %1669 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1608, <8 x float> %1658, <8 x float> %1668)
  store <8 x float> %1666, ptr %1552, align 32
  store <8 x float> %1669, ptr %1554, align 32
  %1670 = getelementptr inbounds nuw i8, ptr %1522, i64 32
  %1671 = load float, ptr %1670, align 4
  %1672 = insertelement <8 x float> poison, float %1671, i64 0
  %1673 = shufflevector <8 x float> %1672, <8 x float> poison, <8 x i32> zeroinitializer
  %1674 = getelementptr inbounds nuw i8, ptr %1522, i64 36
  %1675 = load float, ptr %1674, align 4
  %1676 = insertelement <8 x float> poison, float %1675, i64 0
  %1677 = fneg float %1675
  %1678 = insertelement <8 x float> poison, float %1677, i64 0
  %1679 = shufflevector <8 x float> %1678, <8 x float> poison, <8 x i32> zeroinitializer
  %1680 = fmul <8 x float> %1584, %1679
  %1681 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1583, <8 x float> %1673, <8 x float> %1680)
  %1682 = shufflevector <8 x float> %1676, <8 x float> poison, <8 x i32> zeroinitializer
  %1683 = fmul <8 x float> %1583, %1682
  %1684 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1584, <8 x float> %1673, <8 x float> %1683)
  store <8 x float> %1681, ptr %1524, align 32
  store <8 x float> %1684, ptr %1526, align 32
  %1685 = getelementptr inbounds nuw i8, ptr %1522, i64 40
  %1686 = load float, ptr %1685, align 4
  %1687 = insertelement <8 x float> poison, float %1686, i64 0
  %1688 = shufflevector <8 x float> %1687, <8 x float> poison, <8 x i32> zeroinitializer
  %1689 = getelementptr inbounds nuw i8, ptr %1522, i64 44
  %1690 = load float, ptr %1689, align 4
  %1691 = insertelement <8 x float> poison, float %1690, i64 0
  %1692 = fneg float %1690
  %1693 = insertelement <8 x float> poison, float %1692, i64 0
  %1694 = shufflevector <8 x float> %1693, <8 x float> poison, <8 x i32> zeroinitializer
  %1695 = fmul <8 x float> %1610, %1694
  %1696 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1609, <8 x float> %1688, <8 x float> %1695)
  %1697 = shufflevector <8 x float> %1691, <8 x float> poison, <8 x i32> zeroinitializer
  %1698 = fmul <8 x float> %1609, %1697
  %1699 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1610, <8 x float> %1688, <8 x float> %1698)
  store <8 x float> %1696, ptr %1562, align 32
  store <8 x float> %1699, ptr %1564, align 32
  %1700 = getelementptr inbounds nuw i8, ptr %1522, i64 48
  %1701 = load float, ptr %1700, align 4
  %1702 = insertelement <8 x float> poison, float %1701, i64 0
  %1703 = shufflevector <8 x float> %1702, <8 x float> poison, <8 x i32> zeroinitializer
  %1704 = getelementptr inbounds nuw i8, ptr %1522, i64 52
  %1705 = load float, ptr %1704, align 4
  %1706 = insertelement <8 x float> poison, float %1705, i64 0
  %1707 = fneg float %1705
  %1708 = insertelement <8 x float> poison, float %1707, i64 0
  %1709 = shufflevector <8 x float> %1708, <8 x float> poison, <8 x i32> zeroinitializer
  %1710 = fmul <8 x float> %1586, %1709
  %1711 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1585, <8 x float> %1703, <8 x float> %1710)
  %1712 = shufflevector <8 x float> %1706, <8 x float> poison, <8 x i32> zeroinitializer
  %1713 = fmul <8 x float> %1585, %1712
  %1714 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1586, <8 x float> %1703, <8 x float> %1713)
  store <8 x float> %1711, ptr %1534, align 32
  store <8 x float> %1714, ptr %1536, align 32
  %1715 = add nuw nsw i64 %1519, 1
  %1716 = icmp eq i64 %1715, %1502
  br i1 %1716, label %1515, label %1518

1717:
  %1718 = phi ptr [ %746, %907 ], [ %746, %1270 ], [ %746, %1407 ], [ %746, %1501 ], [ %746, %909 ], [ %746, %926 ], [ %746, %970 ], [ %746, %1001 ], [ %746, %1075 ], [ %746, %1112 ], [ %746, %1208 ], [ %756, %754 ], [ %746, %910 ], [ %746, %934 ], [ %746, %971 ], [ %746, %1010 ], [ %746, %1076 ], [ %746, %1122 ], [ %746, %1209 ], [ %746, %1281 ], [ %746, %1408 ], [ %756, %770 ], [ %746, %1515 ]
  %1719 = sdiv i64 %745, %749
  %1720 = shl i64 %749, 1
  %1721 = add i64 %1720, -2
  %1722 = mul i64 %1719, %1721
  %1723 = getelementptr inbounds float, ptr %1718, i64 %1722
  %1724 = add nuw nsw i64 %747, 1
  %1725 = load i64, ptr %373, align 8
  %1726 = icmp slt i64 %1724, %1725
  br i1 %1726, label %744, label %1727

1727:
  %1728 = load i64, ptr %370, align 8
  %1729 = icmp eq i64 %1728, 1
  br i1 %1729, label %1730, label %1794

1730:
  %1731 = load i64, ptr %371, align 8
  %1732 = load ptr, ptr %376, align 8
  %1733 = load ptr, ptr %372, align 8
  %1734 = load <8 x float>, ptr %688, align 32
  %1735 = getelementptr inbounds nuw i8, ptr %688, i64 32
  %1736 = load <8 x float>, ptr %1735, align 32
  %1737 = fadd <8 x float> %1734, %1736
  store <8 x float> %1737, ptr %688, align 32
  store <8 x float> zeroinitializer, ptr %1735, align 32
  %1738 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1731
  %1739 = fsub <8 x float> %1734, %1736
  store <8 x float> %1739, ptr %1738, align 32
  %1740 = getelementptr inbounds nuw i8, ptr %1738, i64 32
  store <8 x float> zeroinitializer, ptr %1740, align 32
  %1741 = icmp slt i64 %1731, 2
  br i1 %1741, label %1794, label %1742

1742:
  %1743 = phi i64 [ %1792, %1742 ], [ 2, %1730 ]
  %1744 = phi i64 [ %1791, %1742 ], [ 1, %1730 ]
  %1745 = getelementptr inbounds i32, ptr %1732, i64 %1744
  %1746 = load i32, ptr %1745, align 4
  %1747 = sext i32 %1746 to i64
  %1748 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1747
  %1749 = load <8 x float>, ptr %1748, align 32
  %1750 = getelementptr inbounds nuw i8, ptr %1748, i64 32
  %1751 = load <8 x float>, ptr %1750, align 32
  %1752 = sub i64 %1731, %1744
  %1753 = getelementptr inbounds i32, ptr %1732, i64 %1752
  %1754 = load i32, ptr %1753, align 4
  %1755 = sext i32 %1754 to i64
  %1756 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1755
  %1757 = load <8 x float>, ptr %1756, align 32
  %1758 = getelementptr inbounds nuw i8, ptr %1756, i64 32
  %1759 = load <8 x float>, ptr %1758, align 32
  %1760 = fadd <8 x float> %1749, %1757
  %1761 = fsub <8 x float> %1751, %1759
  %1762 = fmul <8 x float> %1760, splat (float 5.000000e-01)
  %1763 = fmul <8 x float> %1761, splat (float 5.000000e-01)
  %1764 = fadd <8 x float> %1751, %1759
  %1765 = fmul <8 x float> %1764, splat (float 5.000000e-01)
  %1766 = fsub <8 x float> %1757, %1749
  %1767 = fmul <8 x float> %1766, splat (float 5.000000e-01)
  %1768 = getelementptr inbounds float, ptr %1733, i64 %1743
  %1769 = load float, ptr %1768, align 4
  %1770 = insertelement <8 x float> poison, float %1769, i64 0
  %1771 = shufflevector <8 x float> %1770, <8 x float> poison, <8 x i32> zeroinitializer
  %1772 = getelementptr inbounds nuw i8, ptr %1768, i64 4
  %1773 = load float, ptr %1772, align 4
  %1774 = insertelement <8 x float> poison, float %1773, i64 0
  %1775 = fneg float %1773
  %1776 = insertelement <8 x float> poison, float %1775, i64 0
  %1777 = shufflevector <8 x float> %1776, <8 x float> poison, <8 x i32> zeroinitializer
  %1778 = fmul <8 x float> %1767, %1777
  %1779 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1765, <8 x float> %1771, <8 x float> %1778)
  %1780 = shufflevector <8 x float> %1774, <8 x float> poison, <8 x i32> zeroinitializer
  %1781 = fmul <8 x float> %1765, %1780
  %1782 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1767, <8 x float> %1771, <8 x float> %1781)
  %1783 = fadd <8 x float> %1762, %1779
  %1784 = fadd <8 x float> %1763, %1782
  store <8 x float> %1783, ptr %1748, align 32
  store <8 x float> %1784, ptr %1750, align 32
  %1785 = load i32, ptr %1753, align 4
  %1786 = sext i32 %1785 to i64
  %1787 = getelementptr inbounds %struct.Complex_f32, ptr %688, i64 %1786
  %1788 = fsub <8 x float> %1762, %1779
  %1789 = fsub <8 x float> %1782, %1763
  store <8 x float> %1788, ptr %1787, align 32
  %1790 = getelementptr inbounds nuw i8, ptr %1787, i64 32
  store <8 x float> %1789, ptr %1790, align 32
  %1791 = add i64 %1744, 1
  %1792 = shl i64 %1791, 1
  %1793 = icmp sgt i64 %1792, %1731
  br i1 %1793, label %1794, label %1742

1794:
  %1795 = load ptr, ptr %377, align 8
  %1796 = icmp eq ptr %1795, null
  br i1 %1796, label %1842, label %1797

1797:
  %1798 = load i64, ptr %61, align 8
  %1799 = mul i64 %1798, %59
  %1800 = add i64 %1799, %685
  %1801 = load ptr, ptr %378, align 8
  %1802 = shl i64 %1800, 1
  %1803 = load i64, ptr %371, align 8
  %1804 = mul i64 %1802, %1803
  %1805 = getelementptr inbounds float, ptr %1801, i64 %1804
  %1806 = icmp sgt i64 %1803, 0
  br i1 %1806, label %1807, label %1842

1807:
  %1808 = phi ptr [ %1839, %1807 ], [ %1795, %1797 ]
  %1809 = phi i64 [ %1838, %1807 ], [ 0, %1797 ]
  %1810 = load <8 x float>, ptr %1808, align 4
  %1811 = getelementptr inbounds nuw i8, ptr %1808, i64 32
  %1812 = load <8 x float>, ptr %1811, align 4
  %1813 = shl i64 %1809, 3
  %1814 = getelementptr inbounds i8, ptr %1805, i64 %1813
  %1815 = load float, ptr %1814, align 4
  %1816 = insertelement <8 x float> poison, float %1815, i64 0
  %1817 = shufflevector <8 x float> %1816, <8 x float> poison, <8 x i32> zeroinitializer
  %1818 = getelementptr inbounds nuw i8, ptr %1814, i64 4
  %1819 = load float, ptr %1818, align 4
  %1820 = insertelement <8 x float> poison, float %1819, i64 0
  %1821 = fneg float %1819
  %1822 = insertelement <8 x float> poison, float %1821, i64 0
  %1823 = shufflevector <8 x float> %1822, <8 x float> poison, <8 x i32> zeroinitializer
  %1824 = fmul <8 x float> %1812, %1823
  %1825 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1810, <8 x float> %1817, <8 x float> %1824)
  %1826 = shufflevector <8 x float> %1820, <8 x float> poison, <8 x i32> zeroinitializer
  %1827 = fmul <8 x float> %1810, %1826
  %1828 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1812, <8 x float> %1817, <8 x float> %1827)
  %1829 = getelementptr inbounds nuw %struct.Complex_f32, ptr %688, i64 %1809
  %1830 = load <8 x float>, ptr %1829, align 32
  %1831 = getelementptr inbounds nuw i8, ptr %1829, i64 32
  %1832 = load <8 x float>, ptr %1831, align 32
  %1833 = fneg <8 x float> %1828
  %1834 = fmul <8 x float> %1832, %1833
  %1835 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1830, <8 x float> %1825, <8 x float> %1834)
  %1836 = fmul <8 x float> %1830, %1828
  %1837 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %1832, <8 x float> %1825, <8 x float> %1836)
  store <8 x float> %1835, ptr %1829, align 32
  store <8 x float> %1837, ptr %1831, align 32
  %1838 = add nuw nsw i64 %1809, 1
  %1839 = getelementptr inbounds nuw i8, ptr %1808, i64 64
  %1840 = load i64, ptr %371, align 8
  %1841 = icmp slt i64 %1838, %1840
  br i1 %1841, label %1807, label %1842

1842:
  %1843 = add nuw nsw i64 %685, 1
  %1844 = icmp eq i64 %685, %380
  br i1 %1844, label %405, label %684

1845:
  br label %1956

1846:
  %1847 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1848 = load i64, ptr %1847, align 8
  %1849 = shl i64 %59, 8
  %1850 = add i64 %1849, 256
  %1851 = sdiv i64 %1848, 2
  %1852 = add nsw i64 %1851, 1
  %1853 = tail call i64 @llvm.smin.i64(i64 %1850, i64 %1852)
  %1854 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %1855 = load ptr, ptr %1854, align 8
  %1856 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %1857 = load ptr, ptr %1856, align 8
  %1858 = shl i64 %59, 3
  %1859 = getelementptr inbounds i8, ptr %1857, i64 %1858
  %1860 = icmp slt i64 %1849, %1853
  br i1 %1860, label %1861, label %1956

1861:
  %1862 = getelementptr inbounds nuw i8, ptr %1859, i64 4
  %1863 = getelementptr inbounds nuw i8, ptr %57, i64 4
  %1864 = shl i64 %1848, 3
  %1865 = getelementptr inbounds i8, ptr %57, i64 %1864
  %1866 = getelementptr i8, ptr %1865, i64 4
  br label %1867

1867:
  %1868 = phi i64 [ %1849, %1861 ], [ %1954, %1953 ]
  %1869 = sub i64 %1848, %1868
  %1870 = shl i64 %1868, 1
  %1871 = getelementptr inbounds float, ptr %45, i64 %1870
  %1872 = load float, ptr %1871, align 4
  %1873 = or disjoint i64 %1870, 1
  %1874 = getelementptr inbounds float, ptr %45, i64 %1873
  %1875 = load float, ptr %1874, align 4
  %1876 = sub i64 %1868, %1849
  %1877 = shl i64 %1876, 3
  %1878 = getelementptr inbounds i8, ptr %1855, i64 %1877
  %1879 = load float, ptr %1878, align 4
  %1880 = load float, ptr %1859, align 4
  %1881 = getelementptr inbounds nuw i8, ptr %1878, i64 4
  %1882 = load float, ptr %1881, align 4
  %1883 = load float, ptr %1862, align 4
  %1884 = fneg float %1883
  %1885 = fmul float %1882, %1884
  %1886 = tail call float @llvm.fmuladd.f32(float %1879, float %1880, float %1885)
  %1887 = fmul float %1880, %1882
  %1888 = tail call float @llvm.fmuladd.f32(float %1879, float %1883, float %1887)
  %1889 = load i64, ptr %0, align 8
  %1890 = icmp eq i64 %1889, 1
  br i1 %1890, label %1891, label %1924

1891:
  %1892 = icmp eq i64 %1868, 0
  br i1 %1892, label %1893, label %1896

1893:
  %1894 = fadd float %1872, %1875
  store float %1894, ptr %57, align 4
  store float 0.000000e+00, ptr %1863, align 4
  %1895 = fsub float %1872, %1875
  store float %1895, ptr %1865, align 4
  store float 0.000000e+00, ptr %1866, align 4
  br label %1953

1896:
  %1897 = shl i64 %1869, 1
  %1898 = getelementptr inbounds float, ptr %45, i64 %1897
  %1899 = load float, ptr %1898, align 4
  %1900 = or disjoint i64 %1897, 1
  %1901 = getelementptr inbounds float, ptr %45, i64 %1900
  %1902 = load float, ptr %1901, align 4
  %1903 = fadd float %1872, %1899
  %1904 = fmul float %1903, 5.000000e-01
  %1905 = fsub float %1875, %1902
  %1906 = fmul float %1905, 5.000000e-01
  %1907 = fadd float %1875, %1902
  %1908 = fmul float %1907, 5.000000e-01
  %1909 = fsub float %1899, %1872
  %1910 = fmul float %1909, 5.000000e-01
  %1911 = fneg float %1888
  %1912 = fmul float %1910, %1911
  %1913 = tail call float @llvm.fmuladd.f32(float %1908, float %1886, float %1912)
  %1914 = fmul float %1888, %1908
  %1915 = tail call float @llvm.fmuladd.f32(float %1910, float %1886, float %1914)
  %1916 = fadd float %1904, %1913
  %1917 = getelementptr inbounds float, ptr %57, i64 %1870
  store float %1916, ptr %1917, align 4
  %1918 = fadd float %1906, %1915
  %1919 = getelementptr inbounds float, ptr %57, i64 %1873
  store float %1918, ptr %1919, align 4
  %1920 = fsub float %1904, %1913
  %1921 = getelementptr inbounds float, ptr %57, i64 %1897
  store float %1920, ptr %1921, align 4
  %1922 = fsub float %1915, %1906
  %1923 = getelementptr inbounds float, ptr %57, i64 %1900
  store float %1922, ptr %1923, align 4
  br label %1953

1924:
  %1925 = shl i64 %1869, 1
  %1926 = getelementptr inbounds float, ptr %45, i64 %1925
  %1927 = load float, ptr %1926, align 4
  %1928 = icmp eq i64 %1868, 0
  br i1 %1928, label %1929, label %1932

1929:
  %1930 = fsub float %1872, %1927
  store float %1930, ptr %57, align 4
  %1931 = fadd float %1872, %1927
  store float %1931, ptr %1863, align 4
  br label %1953

1932:
  %1933 = or disjoint i64 %1925, 1
  %1934 = getelementptr inbounds float, ptr %45, i64 %1933
  %1935 = load float, ptr %1934, align 4
  %1936 = fadd float %1872, %1927
  %1937 = fsub float %1875, %1935
  %1938 = fsub float %1872, %1927
  %1939 = fadd float %1875, %1935
  %1940 = fmul float %1888, %1939
  %1941 = tail call float @llvm.fmuladd.f32(float %1938, float %1886, float %1940)
  %1942 = fneg float %1888
  %1943 = fmul float %1938, %1942
  %1944 = tail call float @llvm.fmuladd.f32(float %1939, float %1886, float %1943)
  %1945 = fadd float %1937, %1941
  %1946 = getelementptr inbounds float, ptr %57, i64 %1870
  store float %1945, ptr %1946, align 4
  %1947 = fsub float %1936, %1944
  %1948 = getelementptr inbounds float, ptr %57, i64 %1873
  store float %1947, ptr %1948, align 4
  %1949 = fsub float %1941, %1937
  %1950 = getelementptr inbounds float, ptr %57, i64 %1925
  store float %1949, ptr %1950, align 4
  %1951 = fadd float %1936, %1944
  %1952 = getelementptr inbounds float, ptr %57, i64 %1933
  store float %1951, ptr %1952, align 4
  br label %1953

1953:
  %1954 = add nsw i64 %1868, 1
  %1955 = icmp eq i64 %1954, %1853
  br i1 %1955, label %1956, label %1867

1956:
  ret void
}

define void @transform_f64(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = alloca [4 x ptr], align 16
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %7, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = icmp sgt i64 %11, 1
  br i1 %12, label %13, label %24

13:
  %14 = phi i64 [ %22, %18 ], [ 0, %4 ]
  %15 = getelementptr inbounds i32, ptr %9, i64 %14
  %16 = atomicrmw xchg ptr %15, i32 1 acquire, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %24, label %18

18:
  %19 = add i64 %14, 1
  %20 = load i64, ptr %10, align 8
  %21 = icmp slt i64 %19, %20
  %22 = select i1 %21, i64 %19, i64 0
  %23 = icmp sgt i64 %20, 1
  br i1 %23, label %13, label %24

24:
  %25 = phi i64 [ 0, %4 ], [ %22, %18 ], [ %14, %13 ]
  %26 = load ptr, ptr %0, align 8
  store ptr %26, ptr %5, align 16
  %27 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %29 = load ptr, ptr %28, align 8
  store ptr %29, ptr %27, align 8
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %32 = load ptr, ptr %31, align 8
  %33 = getelementptr inbounds nuw i8, ptr %7, i64 32
  %34 = load i64, ptr %33, align 8
  %35 = mul i64 %34, %25
  %36 = getelementptr inbounds i8, ptr %32, i64 %35
  store ptr %36, ptr %30, align 16
  %37 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %7, i64 40
  %41 = load i64, ptr %40, align 8
  %42 = mul i64 %41, %25
  %43 = getelementptr inbounds i8, ptr %39, i64 %42
  store ptr %43, ptr %37, align 8
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = getelementptr inbounds nuw i8, ptr %7, i64 24
  %47 = load i64, ptr %46, align 8
  %48 = mul i64 %47, %25
  %49 = getelementptr inbounds i8, ptr %45, i64 %48
  %50 = icmp slt i64 %1, %2
  br i1 %50, label %51, label %54

51:
  %52 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %53 = getelementptr inbounds nuw i8, ptr %7, i64 48
  br label %57

54:
  %55 = load i64, ptr %10, align 8
  %56 = icmp sgt i64 %55, 1
  br i1 %56, label %108, label %110

57:
  %58 = phi i64 [ %1, %51 ], [ %106, %105 ]
  %59 = load i64, ptr %52, align 8
  %60 = icmp eq i64 %59, 0
  br i1 %60, label %61, label %64

61:
  %62 = load i64, ptr %7, align 8
  %63 = icmp sgt i64 %62, 0
  br i1 %63, label %68, label %105

64:
  %65 = load ptr, ptr %53, align 8
  %66 = sdiv i64 %58, %59
  %67 = srem i64 %58, %59
  call fastcc void @step_f64(ptr %65, i64 %66, i64 %67, ptr %5, ptr %49)
  br label %105

68:
  %69 = phi i64 [ %97, %96 ], [ %62, %61 ]
  %70 = phi i64 [ %98, %96 ], [ 0, %61 ]
  %71 = getelementptr inbounds nuw ptr, ptr %53, i64 %70
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr inbounds nuw i8, ptr %72, i64 16
  %74 = load i64, ptr %73, align 8
  %75 = load i64, ptr %72, align 8
  %76 = icmp eq i64 %75, 0
  br i1 %76, label %77, label %85

77:
  %78 = getelementptr inbounds nuw i8, ptr %72, i64 24
  %79 = load i64, ptr %78, align 8
  %80 = add i64 %79, -1
  %81 = getelementptr inbounds nuw i8, ptr %72, i64 40
  %82 = load i64, ptr %81, align 8
  %83 = shl i64 %82, 2
  %84 = sdiv i64 %80, %83
  br label %89

85:
  %86 = getelementptr inbounds nuw i8, ptr %72, i64 8
  %87 = load i64, ptr %86, align 8
  %88 = sdiv i64 %87, 512
  br label %89

89:
  %90 = phi i64 [ %84, %77 ], [ %88, %85 ]
  %91 = add i64 %90, 1
  %92 = mul i64 %91, %74
  %93 = icmp sgt i64 %92, 0
  br i1 %93, label %100, label %96

94:
  %95 = load i64, ptr %7, align 8
  br label %96

96:
  %97 = phi i64 [ %95, %94 ], [ %69, %89 ]
  %98 = add nuw nsw i64 %70, 1
  %99 = icmp slt i64 %98, %97
  br i1 %99, label %68, label %105

100:
  %101 = phi i64 [ %103, %100 ], [ 0, %89 ]
  %102 = load ptr, ptr %71, align 8
  call fastcc void @step_f64(ptr %102, i64 %58, i64 %101, ptr %5, ptr %49)
  %103 = add nuw nsw i64 %101, 1
  %104 = icmp eq i64 %103, %92
  br i1 %104, label %94, label %100

105:
  %106 = add nsw i64 %58, 1
  %107 = icmp eq i64 %106, %2
  br i1 %107, label %54, label %57

108:
  %109 = getelementptr inbounds i32, ptr %9, i64 %25
  store atomic i32 0, ptr %109 release, align 4
  br label %110

110:
  ret void
}

define internal fastcc void @step_f64(ptr %0, i64 %1, i64 %2, ptr %3, ptr %4) nounwind {
  %6 = alloca [8 x %struct.Complex_f64], align 32
  %7 = alloca [8 x %struct.Complex_f64], align 32
  %8 = alloca [16 x i64], align 16
  %9 = alloca [16 x i64], align 16
  %10 = load i64, ptr %0, align 8
  %11 = icmp eq i64 %10, 0
  br i1 %11, label %12, label %20

12:
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %14 = load i64, ptr %13, align 8
  %15 = add i64 %14, -1
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %17 = load i64, ptr %16, align 8
  %18 = shl i64 %17, 2
  %19 = sdiv i64 %15, %18
  br label %24

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 8
  %23 = sdiv i64 %22, 512
  br label %24

24:
  %25 = phi i64 [ %19, %12 ], [ %23, %20 ]
  %26 = add i64 %25, 1
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %28 = load i64, ptr %27, align 8
  %29 = icmp eq i64 %28, 1
  br i1 %29, label %32, label %30

30:
  %31 = sdiv i64 %2, %26
  br label %32

32:
  %33 = phi i64 [ %31, %30 ], [ 0, %24 ]
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %35 = load i64, ptr %34, align 8
  %36 = getelementptr inbounds ptr, ptr %3, i64 %35
  %37 = load ptr, ptr %36, align 8
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %39 = load i64, ptr %38, align 8
  %40 = mul i64 %39, %1
  %41 = getelementptr inbounds double, ptr %37, i64 %40
  %42 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %43 = load i64, ptr %42, align 8
  %44 = mul i64 %43, %33
  %45 = getelementptr inbounds double, ptr %41, i64 %44
  %46 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %47 = load i64, ptr %46, align 8
  %48 = getelementptr inbounds ptr, ptr %3, i64 %47
  %49 = load ptr, ptr %48, align 8
  %50 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %51 = load i64, ptr %50, align 8
  %52 = mul i64 %51, %1
  %53 = getelementptr inbounds double, ptr %49, i64 %52
  %54 = getelementptr inbounds nuw i8, ptr %0, i64 168
  %55 = load i64, ptr %54, align 8
  %56 = mul i64 %55, %33
  %57 = getelementptr inbounds double, ptr %53, i64 %56
  %58 = mul i64 %33, %26
  %59 = sub i64 %2, %58
  br i1 %11, label %60, label %1707

60:
  %61 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %62 = load i64, ptr %61, align 8
  %63 = shl i64 %62, 2
  %64 = mul i64 %63, %59
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %66 = load i64, ptr %65, align 8
  %67 = sub i64 %66, %64
  %68 = tail call i64 @llvm.smin.i64(i64 %63, i64 %67)
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %70 = load i64, ptr %69, align 8
  %71 = icmp sgt i64 %63, 0
  br i1 %71, label %72, label %87

72:
  %73 = sdiv i64 %64, %70
  %74 = mul i64 %73, %70
  %75 = srem i64 %64, %70
  %76 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %77 = load i64, ptr %76, align 8
  %78 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %79 = load i64, ptr %78, align 8
  %80 = getelementptr inbounds nuw i8, ptr %0, i64 176
  %81 = load i64, ptr %80, align 8
  %82 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %83 = load i64, ptr %82, align 8
  %84 = add i64 %68, -1
  br label %301

85:
  %86 = load i64, ptr %8, align 16
  br label %87

87:
  %88 = phi i64 [ %86, %85 ], [ undef, %60 ]
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %90 = load i64, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %92 = load i64, ptr %91, align 8
  %93 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %94 = load i64, ptr %93, align 8
  %95 = getelementptr inbounds nuw i8, ptr %0, i64 152
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %98 = load i64, ptr %97, align 8
  %99 = icmp eq i64 %98, 0
  %100 = add i64 %63, -1
  %101 = getelementptr inbounds i64, ptr %8, i64 %100
  %102 = load i64, ptr %101, align 8
  %103 = sub i64 %102, %88
  %104 = icmp sle i64 %63, %67
  %105 = icmp eq i64 %96, 1
  %106 = select i1 %104, i1 %105, i1 false
  br i1 %106, label %107, label %143

107:
  %108 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %109 = load i64, ptr %108, align 8
  %110 = icmp eq i64 %109, 2
  %111 = shl i64 %100, 1
  %112 = icmp eq i64 %103, %111
  %113 = select i1 %110, i1 %112, i1 false
  br i1 %113, label %114, label %179

114:
  %115 = icmp sgt i64 %90, 0
  br i1 %115, label %116, label %287

116:
  %117 = getelementptr inbounds double, ptr %45, i64 %88
  %118 = icmp sgt i64 %62, 0
  br label %119

119:
  %120 = phi ptr [ %117, %116 ], [ %125, %123 ]
  %121 = phi i64 [ 0, %116 ], [ %124, %123 ]
  %122 = getelementptr %struct.Complex_f64, ptr %4, i64 %121
  br i1 %118, label %127, label %123

123:
  %124 = add nuw nsw i64 %121, 1
  %125 = getelementptr inbounds double, ptr %120, i64 %94
  %126 = icmp eq i64 %124, %90
  br i1 %126, label %287, label %119

127:
  %128 = phi i64 [ %141, %127 ], [ 0, %119 ]
  %129 = mul i64 %128, %92
  %130 = getelementptr %struct.Complex_f64, ptr %122, i64 %129
  %131 = shl i64 %128, 6
  %132 = getelementptr inbounds i8, ptr %120, i64 %131
  %133 = load <4 x double>, ptr %132, align 8
  %134 = getelementptr inbounds nuw i8, ptr %132, i64 32
  %135 = load <4 x double>, ptr %134, align 8
  %136 = shufflevector <4 x double> %133, <4 x double> %135, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %137 = shufflevector <4 x double> %133, <4 x double> %135, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %138 = select i1 %99, <4 x double> %136, <4 x double> %137
  %139 = select i1 %99, <4 x double> %137, <4 x double> %136
  store <4 x double> %138, ptr %130, align 32
  %140 = getelementptr inbounds nuw i8, ptr %130, i64 32
  store <4 x double> %139, ptr %140, align 32
  %141 = add nuw nsw i64 %128, 1
  %142 = icmp eq i64 %141, %62
  br i1 %142, label %123, label %127

143:
  %144 = icmp ne i64 %96, 1
  %145 = select i1 %104, i1 %144, i1 false
  br i1 %145, label %146, label %179

146:
  %147 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %148 = load i64, ptr %147, align 8
  %149 = icmp eq i64 %148, 1
  %150 = icmp eq i64 %103, %100
  %151 = select i1 %149, i1 %150, i1 false
  br i1 %151, label %152, label %179

152:
  %153 = icmp sgt i64 %90, 0
  br i1 %153, label %154, label %287

154:
  %155 = getelementptr inbounds double, ptr %45, i64 %88
  %156 = icmp sgt i64 %62, 0
  br label %157

157:
  %158 = phi ptr [ %155, %154 ], [ %163, %161 ]
  %159 = phi i64 [ 0, %154 ], [ %162, %161 ]
  %160 = getelementptr %struct.Complex_f64, ptr %4, i64 %159
  br i1 %156, label %165, label %161

161:
  %162 = add nuw nsw i64 %159, 1
  %163 = getelementptr inbounds double, ptr %158, i64 %94
  %164 = icmp eq i64 %162, %90
  br i1 %164, label %287, label %157

165:
  %166 = phi i64 [ %177, %165 ], [ 0, %157 ]
  %167 = shl i64 %166, 5
  %168 = getelementptr inbounds i8, ptr %158, i64 %167
  %169 = mul i64 %166, %92
  %170 = getelementptr %struct.Complex_f64, ptr %160, i64 %169
  %171 = load <4 x double>, ptr %168, align 8
  %172 = getelementptr inbounds double, ptr %168, i64 %96
  %173 = load <4 x double>, ptr %172, align 8
  %174 = select i1 %99, <4 x double> %171, <4 x double> %173
  %175 = select i1 %99, <4 x double> %173, <4 x double> %171
  store <4 x double> %174, ptr %170, align 32
  %176 = getelementptr inbounds nuw i8, ptr %170, i64 32
  store <4 x double> %175, ptr %176, align 32
  %177 = add nuw nsw i64 %166, 1
  %178 = icmp eq i64 %177, %62
  br i1 %178, label %161, label %165

179:
  %180 = icmp sgt i64 %68, 0
  br i1 %180, label %181, label %325

181:
  %182 = icmp ne i64 %94, 2
  %183 = xor i1 %105, true
  %184 = select i1 %183, i1 true, i1 %182
  %185 = icmp slt i64 %90, 2
  %186 = select i1 %184, i1 true, i1 %185
  %187 = select i1 %99, i64 0, i64 4
  %188 = select i1 %99, i64 4, i64 0
  %189 = select i1 %99, i64 1, i64 5
  %190 = select i1 %99, i64 5, i64 1
  %191 = select i1 %99, i64 2, i64 6
  %192 = select i1 %99, i64 6, i64 2
  %193 = select i1 %99, i64 3, i64 7
  %194 = select i1 %99, i64 7, i64 3
  %195 = add nsw i64 %68, -1
  %196 = lshr i64 %195, 2
  br label %197

197:
  %198 = phi ptr [ %8, %181 ], [ %284, %282 ]
  %199 = phi i64 [ 0, %181 ], [ %283, %282 ]
  %200 = phi ptr [ %4, %181 ], [ %285, %282 ]
  br i1 %186, label %240, label %201

201:
  %202 = getelementptr inbounds nuw i8, ptr %198, i64 8
  %203 = getelementptr inbounds nuw i8, ptr %198, i64 16
  %204 = getelementptr inbounds nuw i8, ptr %198, i64 24
  %205 = load i64, ptr %202, align 8
  %206 = load i64, ptr %203, align 8
  %207 = load i64, ptr %204, align 8
  %208 = load i64, ptr %198, align 8
  br label %209

209:
  %210 = phi i64 [ %238, %209 ], [ 2, %201 ]
  %211 = phi i64 [ %210, %209 ], [ 0, %201 ]
  %212 = shl i64 %211, 4
  %213 = getelementptr i8, ptr %45, i64 %212
  %214 = getelementptr double, ptr %213, i64 %208
  %215 = load <4 x double>, ptr %214, align 8
  %216 = getelementptr double, ptr %213, i64 %205
  %217 = load <4 x double>, ptr %216, align 8
  %218 = getelementptr double, ptr %213, i64 %206
  %219 = load <4 x double>, ptr %218, align 8
  %220 = getelementptr double, ptr %213, i64 %207
  %221 = load <4 x double>, ptr %220, align 8
  %222 = shufflevector <4 x double> %215, <4 x double> %217, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %223 = shufflevector <4 x double> %215, <4 x double> %217, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %224 = shufflevector <4 x double> %219, <4 x double> %221, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %225 = shufflevector <4 x double> %219, <4 x double> %221, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %226 = shufflevector <4 x double> %222, <4 x double> %224, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %227 = shufflevector <4 x double> %222, <4 x double> %224, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %228 = shufflevector <4 x double> %223, <4 x double> %225, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %229 = shufflevector <4 x double> %223, <4 x double> %225, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %230 = getelementptr %struct.Complex_f64, ptr %200, i64 %211
  %231 = select i1 %99, <4 x double> %228, <4 x double> %226
  %232 = select i1 %99, <4 x double> %226, <4 x double> %228
  store <4 x double> %232, ptr %230, align 32
  %233 = getelementptr inbounds nuw i8, ptr %230, i64 32
  store <4 x double> %231, ptr %233, align 32
  %234 = getelementptr i8, ptr %230, i64 64
  %235 = select i1 %99, <4 x double> %229, <4 x double> %227
  %236 = select i1 %99, <4 x double> %227, <4 x double> %229
  store <4 x double> %236, ptr %234, align 32
  %237 = getelementptr i8, ptr %230, i64 96
  store <4 x double> %235, ptr %237, align 32
  %238 = add i64 %210, 2
  %239 = icmp sgt i64 %238, %90
  br i1 %239, label %240, label %209

240:
  %241 = phi i64 [ 0, %197 ], [ %210, %209 ]
  %242 = icmp slt i64 %241, %90
  br i1 %242, label %243, label %282

243:
  %244 = getelementptr inbounds nuw i8, ptr %198, i64 8
  %245 = getelementptr inbounds nuw i8, ptr %198, i64 16
  %246 = getelementptr inbounds nuw i8, ptr %198, i64 24
  %247 = load i64, ptr %244, align 8
  %248 = load i64, ptr %245, align 8
  %249 = load i64, ptr %246, align 8
  %250 = load i64, ptr %198, align 8
  br label %251

251:
  %252 = phi i64 [ %280, %251 ], [ %241, %243 ]
  %253 = getelementptr inbounds %struct.Complex_f64, ptr %200, i64 %252
  %254 = mul i64 %252, %94
  %255 = getelementptr double, ptr %45, i64 %254
  %256 = getelementptr double, ptr %255, i64 %250
  %257 = load double, ptr %256, align 8
  %258 = getelementptr inbounds nuw double, ptr %253, i64 %187
  store double %257, ptr %258, align 8
  %259 = getelementptr inbounds double, ptr %256, i64 %96
  %260 = load double, ptr %259, align 8
  %261 = getelementptr inbounds nuw double, ptr %253, i64 %188
  store double %260, ptr %261, align 8
  %262 = getelementptr double, ptr %255, i64 %247
  %263 = load double, ptr %262, align 8
  %264 = getelementptr inbounds nuw double, ptr %253, i64 %189
  store double %263, ptr %264, align 8
  %265 = getelementptr inbounds double, ptr %262, i64 %96
  %266 = load double, ptr %265, align 8
  %267 = getelementptr inbounds nuw double, ptr %253, i64 %190
  store double %266, ptr %267, align 8
  %268 = getelementptr double, ptr %255, i64 %248
  %269 = load double, ptr %268, align 8
  %270 = getelementptr inbounds nuw double, ptr %253, i64 %191
  store double %269, ptr %270, align 8
  %271 = getelementptr inbounds double, ptr %268, i64 %96
  %272 = load double, ptr %271, align 8
  %273 = getelementptr inbounds nuw double, ptr %253, i64 %192
  store double %272, ptr %273, align 8
  %274 = getelementptr double, ptr %255, i64 %249
  %275 = load double, ptr %274, align 8
  %276 = getelementptr inbounds nuw double, ptr %253, i64 %193
  store double %275, ptr %276, align 8
  %277 = getelementptr inbounds double, ptr %274, i64 %96
  %278 = load double, ptr %277, align 8
  %279 = getelementptr inbounds nuw double, ptr %253, i64 %194
  store double %278, ptr %279, align 8
  %280 = add nsw i64 %252, 1
  %281 = icmp eq i64 %280, %90
  br i1 %281, label %282, label %251

282:
  %283 = add nuw nsw i64 %199, 1
  %284 = getelementptr inbounds nuw i8, ptr %198, i64 32
  %285 = getelementptr inbounds %struct.Complex_f64, ptr %200, i64 %92
  %286 = icmp eq i64 %199, %196
  br i1 %286, label %287, label %197

287:
  %288 = icmp sgt i64 %68, 0
  br i1 %288, label %289, label %325

289:
  %290 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %291 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %292 = getelementptr inbounds nuw i8, ptr %0, i64 232
  %293 = getelementptr inbounds nuw i8, ptr %0, i64 256
  %294 = getelementptr inbounds nuw i8, ptr %0, i64 216
  %295 = getelementptr inbounds nuw i8, ptr %0, i64 264
  %296 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %297 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %298 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %299 = add nsw i64 %68, -1
  %300 = lshr i64 %299, 2
  br label %545

301:
  %302 = phi i64 [ %73, %72 ], [ %322, %320 ]
  %303 = phi i64 [ 0, %72 ], [ %323, %320 ]
  %304 = phi i64 [ %75, %72 ], [ %321, %320 ]
  %305 = mul i64 %302, %77
  %306 = mul i64 %304, %79
  %307 = add i64 %306, %305
  %308 = getelementptr inbounds nuw i64, ptr %8, i64 %303
  store i64 %307, ptr %308, align 8
  %309 = mul i64 %302, %81
  %310 = mul i64 %304, %83
  %311 = add i64 %310, %309
  %312 = getelementptr inbounds nuw i64, ptr %9, i64 %303
  store i64 %311, ptr %312, align 8
  %313 = icmp slt i64 %303, %84
  br i1 %313, label %314, label %320

314:
  %315 = add i64 %304, 1
  %316 = icmp eq i64 %315, %70
  %317 = select i1 %316, i64 0, i64 %315
  %318 = zext i1 %316 to i64
  %319 = add i64 %302, %318
  br label %320

320:
  %321 = phi i64 [ %304, %301 ], [ %317, %314 ]
  %322 = phi i64 [ %302, %301 ], [ %319, %314 ]
  %323 = add nuw nsw i64 %303, 1
  %324 = icmp eq i64 %323, %63
  br i1 %324, label %85, label %301

325:
  %326 = phi i1 [ false, %179 ], [ false, %287 ], [ true, %1703 ]
  %327 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %328 = load i64, ptr %327, align 8
  %329 = load i64, ptr %91, align 8
  %330 = getelementptr inbounds nuw i8, ptr %0, i64 192
  %331 = load i64, ptr %330, align 8
  %332 = getelementptr inbounds nuw i8, ptr %0, i64 200
  %333 = load i64, ptr %332, align 8
  %334 = load i64, ptr %61, align 8
  %335 = shl i64 %334, 2
  %336 = getelementptr inbounds nuw i8, ptr %0, i64 224
  %337 = load ptr, ptr %336, align 8
  %338 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %339 = load i64, ptr %338, align 8
  %340 = icmp eq i64 %339, 0
  %341 = getelementptr inbounds nuw i8, ptr %0, i64 208
  %342 = load double, ptr %341, align 8
  %343 = add i64 %335, -1
  %344 = getelementptr inbounds i64, ptr %9, i64 %343
  %345 = load i64, ptr %344, align 8
  %346 = load i64, ptr %9, align 16
  %347 = sub i64 %345, %346
  %348 = icmp eq i64 %68, %335
  %349 = icmp eq i64 %333, 1
  %350 = select i1 %348, i1 %349, i1 false
  br i1 %350, label %351, label %395

351:
  %352 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %353 = load i64, ptr %352, align 8
  %354 = icmp eq i64 %353, 2
  %355 = shl i64 %343, 1
  %356 = icmp eq i64 %347, %355
  %357 = select i1 %354, i1 %356, i1 false
  br i1 %357, label %358, label %439

358:
  %359 = icmp sgt i64 %328, 0
  br i1 %359, label %360, label %1706

360:
  %361 = getelementptr inbounds double, ptr %57, i64 %346
  %362 = icmp sgt i64 %334, 0
  %363 = insertelement <4 x double> poison, double %342, i64 0
  %364 = shufflevector <4 x double> %363, <4 x double> poison, <4 x i32> zeroinitializer
  br label %365

365:
  %366 = phi ptr [ %361, %360 ], [ %372, %370 ]
  %367 = phi i64 [ 0, %360 ], [ %371, %370 ]
  br i1 %362, label %368, label %370

368:
  %369 = getelementptr inbounds nuw i32, ptr %337, i64 %367
  br label %374

370:
  %371 = add nuw nsw i64 %367, 1
  %372 = getelementptr inbounds double, ptr %366, i64 %331
  %373 = icmp eq i64 %371, %328
  br i1 %373, label %1706, label %365

374:
  %375 = phi i64 [ 0, %368 ], [ %393, %374 ]
  %376 = shl i64 %375, 6
  %377 = getelementptr inbounds i8, ptr %366, i64 %376
  %378 = mul i64 %375, %329
  %379 = load i32, ptr %369, align 4
  %380 = sext i32 %379 to i64
  %381 = getelementptr %struct.Complex_f64, ptr %4, i64 %378
  %382 = getelementptr %struct.Complex_f64, ptr %381, i64 %380
  %383 = load <4 x double>, ptr %382, align 32
  %384 = getelementptr inbounds nuw i8, ptr %382, i64 32
  %385 = load <4 x double>, ptr %384, align 32
  %386 = fmul <4 x double> %364, %383
  %387 = fmul <4 x double> %364, %385
  %388 = select i1 %340, <4 x double> %386, <4 x double> %387
  %389 = select i1 %340, <4 x double> %387, <4 x double> %386
  %390 = shufflevector <4 x double> %388, <4 x double> %389, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %390, ptr %377, align 8
  %391 = shufflevector <4 x double> %388, <4 x double> %389, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  %392 = getelementptr inbounds nuw i8, ptr %377, i64 32
  store <4 x double> %391, ptr %392, align 8
  %393 = add nuw nsw i64 %375, 1
  %394 = icmp eq i64 %393, %334
  br i1 %394, label %370, label %374

395:
  %396 = icmp ne i64 %333, 1
  %397 = select i1 %348, i1 %396, i1 false
  br i1 %397, label %398, label %439

398:
  %399 = getelementptr inbounds nuw i8, ptr %0, i64 184
  %400 = load i64, ptr %399, align 8
  %401 = icmp eq i64 %400, 1
  %402 = icmp eq i64 %347, %343
  %403 = select i1 %401, i1 %402, i1 false
  br i1 %403, label %404, label %439

404:
  %405 = icmp sgt i64 %328, 0
  br i1 %405, label %406, label %1706

406:
  %407 = getelementptr inbounds double, ptr %57, i64 %346
  %408 = icmp sgt i64 %334, 0
  %409 = insertelement <4 x double> poison, double %342, i64 0
  %410 = shufflevector <4 x double> %409, <4 x double> poison, <4 x i32> zeroinitializer
  br label %411

411:
  %412 = phi ptr [ %407, %406 ], [ %418, %416 ]
  %413 = phi i64 [ 0, %406 ], [ %417, %416 ]
  br i1 %408, label %414, label %416

414:
  %415 = getelementptr inbounds nuw i32, ptr %337, i64 %413
  br label %420

416:
  %417 = add nuw nsw i64 %413, 1
  %418 = getelementptr inbounds double, ptr %412, i64 %331
  %419 = icmp eq i64 %417, %328
  br i1 %419, label %1706, label %411

420:
  %421 = phi i64 [ 0, %414 ], [ %437, %420 ]
  %422 = mul i64 %421, %329
  %423 = load i32, ptr %415, align 4
  %424 = sext i32 %423 to i64
  %425 = getelementptr %struct.Complex_f64, ptr %4, i64 %422
  %426 = getelementptr %struct.Complex_f64, ptr %425, i64 %424
  %427 = load <4 x double>, ptr %426, align 32
  %428 = getelementptr inbounds nuw i8, ptr %426, i64 32
  %429 = load <4 x double>, ptr %428, align 32
  %430 = fmul <4 x double> %410, %427
  %431 = fmul <4 x double> %410, %429
  %432 = select i1 %340, <4 x double> %430, <4 x double> %431
  %433 = select i1 %340, <4 x double> %431, <4 x double> %430
  %434 = shl i64 %421, 5
  %435 = getelementptr inbounds i8, ptr %412, i64 %434
  store <4 x double> %432, ptr %435, align 8
  %436 = getelementptr inbounds double, ptr %435, i64 %333
  store <4 x double> %433, ptr %436, align 8
  %437 = add nuw nsw i64 %421, 1
  %438 = icmp eq i64 %437, %334
  br i1 %438, label %416, label %420

439:
  br i1 %326, label %440, label %1706

440:
  %441 = icmp ne i64 %331, 2
  %442 = xor i1 %349, true
  %443 = select i1 %442, i1 true, i1 %441
  %444 = icmp slt i64 %328, 2
  %445 = insertelement <4 x double> poison, double %342, i64 0
  %446 = shufflevector <4 x double> %445, <4 x double> poison, <4 x i32> zeroinitializer
  %447 = select i1 %443, i1 true, i1 %444
  br label %448

448:
  %449 = phi ptr [ %9, %440 ], [ %542, %540 ]
  %450 = phi i64 [ %68, %440 ], [ %541, %540 ]
  %451 = phi ptr [ %4, %440 ], [ %543, %540 ]
  %452 = tail call i64 @llvm.umin.i64(i64 %450, i64 4)
  br i1 %447, label %509, label %453

453:
  %454 = icmp samesign ugt i64 %450, 1
  %455 = getelementptr inbounds nuw i8, ptr %449, i64 8
  %456 = icmp samesign ugt i64 %450, 2
  %457 = getelementptr inbounds nuw i8, ptr %449, i64 16
  %458 = icmp samesign ugt i64 %450, 3
  %459 = getelementptr inbounds nuw i8, ptr %449, i64 24
  %460 = load i64, ptr %449, align 8
  br label %461

461:
  %462 = phi i64 [ %507, %506 ], [ 2, %453 ]
  %463 = phi i64 [ %462, %506 ], [ 0, %453 ]
  %464 = getelementptr i32, ptr %337, i64 %463
  %465 = load i32, ptr %464, align 4
  %466 = sext i32 %465 to i64
  %467 = getelementptr inbounds %struct.Complex_f64, ptr %451, i64 %466
  %468 = load <4 x double>, ptr %467, align 32
  %469 = getelementptr inbounds nuw i8, ptr %467, i64 32
  %470 = load <4 x double>, ptr %469, align 32
  %471 = fmul <4 x double> %446, %468
  %472 = fmul <4 x double> %446, %470
  %473 = select i1 %340, <4 x double> %472, <4 x double> %471
  %474 = select i1 %340, <4 x double> %471, <4 x double> %472
  %475 = getelementptr i8, ptr %464, i64 4
  %476 = load i32, ptr %475, align 4
  %477 = sext i32 %476 to i64
  %478 = getelementptr inbounds %struct.Complex_f64, ptr %451, i64 %477
  %479 = load <4 x double>, ptr %478, align 32
  %480 = getelementptr inbounds nuw i8, ptr %478, i64 32
  %481 = load <4 x double>, ptr %480, align 32
  %482 = fmul <4 x double> %446, %479
  %483 = fmul <4 x double> %446, %481
  %484 = select i1 %340, <4 x double> %483, <4 x double> %482
  %485 = select i1 %340, <4 x double> %482, <4 x double> %483
  %486 = shufflevector <4 x double> %474, <4 x double> %473, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %487 = shufflevector <4 x double> %474, <4 x double> %473, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %488 = shufflevector <4 x double> %485, <4 x double> %484, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %489 = shufflevector <4 x double> %485, <4 x double> %484, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %490 = shufflevector <4 x double> %486, <4 x double> %488, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %491 = shufflevector <4 x double> %487, <4 x double> %489, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  %492 = shl i64 %463, 4
  %493 = getelementptr i8, ptr %57, i64 %492
  %494 = shufflevector <4 x double> %486, <4 x double> %488, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %495 = getelementptr double, ptr %493, i64 %460
  store <4 x double> %494, ptr %495, align 8
  br i1 %454, label %496, label %506

496:
  %497 = shufflevector <4 x double> %487, <4 x double> %489, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  %498 = load i64, ptr %455, align 8
  %499 = getelementptr double, ptr %493, i64 %498
  store <4 x double> %497, ptr %499, align 8
  br i1 %456, label %500, label %506

500:
  %501 = load i64, ptr %457, align 8
  %502 = getelementptr double, ptr %493, i64 %501
  store <4 x double> %490, ptr %502, align 8
  br i1 %458, label %503, label %506

503:
  %504 = load i64, ptr %459, align 8
  %505 = getelementptr double, ptr %493, i64 %504
  store <4 x double> %491, ptr %505, align 8
  br label %506

506:
  %507 = add i64 %462, 2
  %508 = icmp sgt i64 %507, %328
  br i1 %508, label %509, label %461

509:
  %510 = phi i64 [ 0, %448 ], [ %462, %506 ]
  %511 = icmp slt i64 %510, %328
  br i1 %511, label %512, label %540

512:
  %513 = phi i64 [ %528, %527 ], [ %510, %509 ]
  %514 = getelementptr inbounds i32, ptr %337, i64 %513
  %515 = load i32, ptr %514, align 4
  %516 = sext i32 %515 to i64
  %517 = getelementptr inbounds %struct.Complex_f64, ptr %451, i64 %516
  %518 = load <4 x double>, ptr %517, align 32
  %519 = getelementptr inbounds nuw i8, ptr %517, i64 32
  %520 = load <4 x double>, ptr %519, align 32
  %521 = fmul <4 x double> %446, %518
  %522 = fmul <4 x double> %446, %520
  %523 = select i1 %340, <4 x double> %522, <4 x double> %521
  %524 = select i1 %340, <4 x double> %521, <4 x double> %522
  %525 = mul i64 %513, %331
  %526 = getelementptr double, ptr %57, i64 %525
  br label %530

527:
  %528 = add nsw i64 %513, 1
  %529 = icmp eq i64 %528, %328
  br i1 %529, label %540, label %512

530:
  %531 = phi i64 [ 0, %512 ], [ %538, %530 ]
  %532 = getelementptr inbounds nuw i64, ptr %449, i64 %531
  %533 = load i64, ptr %532, align 8
  %534 = getelementptr double, ptr %526, i64 %533
  %535 = extractelement <4 x double> %524, i64 %531
  store double %535, ptr %534, align 8
  %536 = extractelement <4 x double> %523, i64 %531
  %537 = getelementptr inbounds double, ptr %534, i64 %333
  store double %536, ptr %537, align 8
  %538 = add nuw nsw i64 %531, 1
  %539 = icmp eq i64 %538, %452
  br i1 %539, label %527, label %530

540:
  %541 = add nsw i64 %450, -4
  %542 = getelementptr inbounds nuw i8, ptr %449, i64 32
  %543 = getelementptr inbounds %struct.Complex_f64, ptr %451, i64 %329
  %544 = icmp sgt i64 %450, 4
  br i1 %544, label %448, label %1706

545:
  %546 = phi i64 [ 0, %289 ], [ %1704, %1703 ]
  %547 = load i64, ptr %91, align 8
  %548 = mul i64 %547, %546
  %549 = getelementptr inbounds %struct.Complex_f64, ptr %4, i64 %548
  %550 = load i64, ptr %290, align 8
  %551 = icmp eq i64 %550, 2
  br i1 %551, label %552, label %598

552:
  %553 = load i64, ptr %291, align 8
  %554 = load ptr, ptr %292, align 8
  %555 = load <4 x double>, ptr %549, align 32
  %556 = getelementptr inbounds nuw i8, ptr %549, i64 32
  %557 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %553
  %558 = load <4 x double>, ptr %557, align 32
  %559 = fsub <4 x double> %555, %558
  %560 = fadd <4 x double> %555, %558
  store <4 x double> %559, ptr %549, align 32
  store <4 x double> %560, ptr %556, align 32
  %561 = icmp slt i64 %553, 2
  br i1 %561, label %598, label %562

562:
  %563 = phi i64 [ %596, %562 ], [ 2, %552 ]
  %564 = phi i64 [ %595, %562 ], [ 1, %552 ]
  %565 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %564
  %566 = load <4 x double>, ptr %565, align 32
  %567 = getelementptr inbounds nuw i8, ptr %565, i64 32
  %568 = load <4 x double>, ptr %567, align 32
  %569 = sub i64 %553, %564
  %570 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %569
  %571 = load <4 x double>, ptr %570, align 32
  %572 = getelementptr inbounds nuw i8, ptr %570, i64 32
  %573 = load <4 x double>, ptr %572, align 32
  %574 = fadd <4 x double> %566, %571
  %575 = fsub <4 x double> %568, %573
  %576 = fsub <4 x double> %566, %571
  %577 = fadd <4 x double> %568, %573
  %578 = getelementptr inbounds double, ptr %554, i64 %563
  %579 = load double, ptr %578, align 8
  %580 = insertelement <4 x double> poison, double %579, i64 0
  %581 = shufflevector <4 x double> %580, <4 x double> poison, <4 x i32> zeroinitializer
  %582 = getelementptr i8, ptr %578, i64 8
  %583 = load double, ptr %582, align 8
  %584 = insertelement <4 x double> poison, double %583, i64 0
  %585 = shufflevector <4 x double> %584, <4 x double> poison, <4 x i32> zeroinitializer
  %586 = fmul <4 x double> %577, %585
  %587 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %576, <4 x double> %581, <4 x double> %586)
  %588 = fneg <4 x double> %585
  %589 = fmul <4 x double> %576, %588
  %590 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %577, <4 x double> %581, <4 x double> %589)
  %591 = fadd <4 x double> %575, %587
  %592 = fsub <4 x double> %574, %590
  store <4 x double> %591, ptr %565, align 32
  store <4 x double> %592, ptr %567, align 32
  %593 = fsub <4 x double> %587, %575
  %594 = fadd <4 x double> %574, %590
  store <4 x double> %593, ptr %570, align 32
  store <4 x double> %594, ptr %572, align 32
  %595 = add i64 %564, 1
  %596 = shl i64 %595, 1
  %597 = icmp sgt i64 %596, %553
  br i1 %597, label %598, label %562

598:
  %599 = load i64, ptr %291, align 8
  %600 = load i64, ptr %293, align 8
  %601 = icmp sgt i64 %600, 0
  br i1 %601, label %602, label %1588

602:
  %603 = load ptr, ptr %294, align 8
  %604 = icmp sgt i64 %599, 0
  br label %605

605:
  %606 = phi i64 [ %599, %602 ], [ %1580, %1578 ]
  %607 = phi ptr [ %603, %602 ], [ %1584, %1578 ]
  %608 = phi i64 [ 0, %602 ], [ %1585, %1578 ]
  %609 = getelementptr inbounds nuw i64, ptr %295, i64 %608
  %610 = load i64, ptr %609, align 8
  %611 = icmp eq i64 %606, %610
  %612 = icmp sgt i64 %610, 8
  %613 = icmp eq i64 %610, 7
  %614 = or i1 %612, %613
  br i1 %614, label %615, label %768

615:
  %616 = shl i64 %610, 4
  %617 = getelementptr inbounds i8, ptr %607, i64 %616
  %618 = sdiv i64 %606, %610
  br i1 %604, label %619, label %1578

619:
  %620 = icmp sgt i64 %618, 0
  %621 = shl nuw i64 %610, 1
  %622 = add i64 %621, -2
  %623 = icmp eq i64 %618, 1
  %624 = add nsw i64 %610, -3
  %625 = lshr i64 %624, 1
  %626 = add nuw nsw i64 %625, 2
  br label %627

627:
  %628 = phi i64 [ 0, %619 ], [ %632, %631 ]
  br i1 %620, label %629, label %631

629:
  %630 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %628
  br label %634

631:
  %632 = add i64 %628, %606
  %633 = icmp slt i64 %632, %599
  br i1 %633, label %627, label %1578

634:
  %635 = phi i64 [ 0, %629 ], [ %677, %676 ]
  %636 = getelementptr inbounds nuw %struct.Complex_f64, ptr %630, i64 %635
  %637 = load <4 x double>, ptr %636, align 32
  %638 = getelementptr inbounds nuw i8, ptr %636, i64 32
  %639 = load <4 x double>, ptr %638, align 32
  br label %644

640:
  %641 = mul i64 %635, %622
  %642 = getelementptr inbounds double, ptr %617, i64 %641
  %643 = getelementptr inbounds i8, ptr %642, i64 -16
  store <4 x double> %669, ptr %636, align 32
  store <4 x double> %670, ptr %638, align 32
  br label %673

644:
  %645 = phi i64 [ %671, %644 ], [ 1, %634 ]
  %646 = phi <4 x double> [ %670, %644 ], [ %639, %634 ]
  %647 = phi <4 x double> [ %669, %644 ], [ %637, %634 ]
  %648 = add nsw i64 %645, -1
  %649 = getelementptr inbounds %struct.Complex_f64, ptr %6, i64 %648
  %650 = mul i64 %645, %618
  %651 = getelementptr inbounds %struct.Complex_f64, ptr %636, i64 %650
  %652 = sub nsw i64 %610, %645
  %653 = mul i64 %652, %618
  %654 = getelementptr inbounds %struct.Complex_f64, ptr %636, i64 %653
  %655 = load <4 x double>, ptr %654, align 32
  %656 = getelementptr inbounds nuw i8, ptr %654, i64 32
  %657 = load <4 x double>, ptr %656, align 32
  %658 = load <4 x double>, ptr %651, align 32
  %659 = getelementptr inbounds nuw i8, ptr %651, i64 32
  %660 = load <4 x double>, ptr %659, align 32
  %661 = fadd <4 x double> %655, %658
  %662 = fadd <4 x double> %657, %660
  store <4 x double> %661, ptr %649, align 32
  %663 = getelementptr inbounds nuw i8, ptr %649, i64 32
  store <4 x double> %662, ptr %663, align 32
  %664 = getelementptr inbounds %struct.Complex_f64, ptr %7, i64 %648
  %665 = fsub <4 x double> %658, %655
  %666 = fsub <4 x double> %660, %657
  %667 = fneg <4 x double> %665
  store <4 x double> %666, ptr %664, align 32
  %668 = getelementptr inbounds nuw i8, ptr %664, i64 32
  store <4 x double> %667, ptr %668, align 32
  %669 = fadd <4 x double> %647, %661
  %670 = fadd <4 x double> %646, %662
  %671 = add nuw nsw i64 %645, 1
  %672 = icmp eq i64 %671, %626
  br i1 %672, label %640, label %644

673:
  %674 = phi i64 [ %731, %726 ], [ 2, %640 ]
  %675 = phi i64 [ %730, %726 ], [ 1, %640 ]
  br label %733

676:
  %677 = add nuw nsw i64 %635, 1
  %678 = icmp eq i64 %677, %618
  br i1 %678, label %631, label %634

679:
  %680 = mul i64 %675, %618
  %681 = getelementptr inbounds %struct.Complex_f64, ptr %636, i64 %680
  %682 = fadd <4 x double> %748, %758
  %683 = fadd <4 x double> %751, %761
  br i1 %623, label %700, label %684

684:
  %685 = getelementptr inbounds double, ptr %643, i64 %674
  %686 = load double, ptr %685, align 8
  %687 = insertelement <4 x double> poison, double %686, i64 0
  %688 = shufflevector <4 x double> %687, <4 x double> poison, <4 x i32> zeroinitializer
  %689 = getelementptr inbounds nuw i8, ptr %685, i64 8
  %690 = load double, ptr %689, align 8
  %691 = insertelement <4 x double> poison, double %690, i64 0
  %692 = fneg double %690
  %693 = insertelement <4 x double> poison, double %692, i64 0
  %694 = shufflevector <4 x double> %693, <4 x double> poison, <4 x i32> zeroinitializer
  %695 = fmul <4 x double> %683, %694
  %696 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %682, <4 x double> %688, <4 x double> %695)
  %697 = shufflevector <4 x double> %691, <4 x double> poison, <4 x i32> zeroinitializer
  %698 = fmul <4 x double> %682, %697
  %699 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %683, <4 x double> %688, <4 x double> %698)
  br label %700

700:
  %701 = phi <4 x double> [ %699, %684 ], [ %683, %679 ]
  %702 = phi <4 x double> [ %696, %684 ], [ %682, %679 ]
  store <4 x double> %702, ptr %681, align 32
  %703 = getelementptr inbounds nuw i8, ptr %681, i64 32
  store <4 x double> %701, ptr %703, align 32
  %704 = sub nsw i64 %610, %675
  %705 = mul i64 %704, %618
  %706 = getelementptr inbounds %struct.Complex_f64, ptr %636, i64 %705
  %707 = fsub <4 x double> %748, %758
  %708 = fsub <4 x double> %751, %761
  br i1 %623, label %726, label %709

709:
  %710 = shl i64 %704, 4
  %711 = getelementptr inbounds i8, ptr %643, i64 %710
  %712 = load double, ptr %711, align 8
  %713 = insertelement <4 x double> poison, double %712, i64 0
  %714 = shufflevector <4 x double> %713, <4 x double> poison, <4 x i32> zeroinitializer
  %715 = getelementptr inbounds nuw i8, ptr %711, i64 8
  %716 = load double, ptr %715, align 8
  %717 = insertelement <4 x double> poison, double %716, i64 0
  %718 = fneg double %716
  %719 = insertelement <4 x double> poison, double %718, i64 0
  %720 = shufflevector <4 x double> %719, <4 x double> poison, <4 x i32> zeroinitializer
  %721 = fmul <4 x double> %708, %720
  %722 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %707, <4 x double> %714, <4 x double> %721)
  %723 = shufflevector <4 x double> %717, <4 x double> poison, <4 x i32> zeroinitializer
  %724 = fmul <4 x double> %707, %723
  %725 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %708, <4 x double> %714, <4 x double> %724)
  br label %726

726:
  %727 = phi <4 x double> [ %725, %709 ], [ %708, %700 ]
  %728 = phi <4 x double> [ %722, %709 ], [ %707, %700 ]
  store <4 x double> %728, ptr %706, align 32
  %729 = getelementptr inbounds nuw i8, ptr %706, i64 32
  store <4 x double> %727, ptr %729, align 32
  %730 = add nuw nsw i64 %675, 1
  %731 = shl nuw i64 %730, 1
  %732 = icmp eq i64 %730, %626
  br i1 %732, label %676, label %673

733:
  %734 = phi i64 [ %675, %673 ], [ %766, %733 ]
  %735 = phi i64 [ 1, %673 ], [ %762, %733 ]
  %736 = phi <4 x double> [ %639, %673 ], [ %751, %733 ]
  %737 = phi <4 x double> [ %637, %673 ], [ %748, %733 ]
  %738 = phi <4 x double> [ zeroinitializer, %673 ], [ %758, %733 ]
  %739 = phi <4 x double> [ zeroinitializer, %673 ], [ %761, %733 ]
  %740 = add nsw i64 %735, -1
  %741 = getelementptr inbounds %struct.Complex_f64, ptr %6, i64 %740
  %742 = load <4 x double>, ptr %741, align 32
  %743 = shl i64 %734, 4
  %744 = getelementptr inbounds i8, ptr %607, i64 %743
  %745 = load double, ptr %744, align 8
  %746 = insertelement <4 x double> poison, double %745, i64 0
  %747 = shufflevector <4 x double> %746, <4 x double> poison, <4 x i32> zeroinitializer
  %748 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %742, <4 x double> %747, <4 x double> %737)
  %749 = getelementptr inbounds nuw i8, ptr %741, i64 32
  %750 = load <4 x double>, ptr %749, align 32
  %751 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %750, <4 x double> %747, <4 x double> %736)
  %752 = getelementptr inbounds %struct.Complex_f64, ptr %7, i64 %740
  %753 = load <4 x double>, ptr %752, align 32
  %754 = getelementptr i8, ptr %744, i64 8
  %755 = load double, ptr %754, align 8
  %756 = insertelement <4 x double> poison, double %755, i64 0
  %757 = shufflevector <4 x double> %756, <4 x double> poison, <4 x i32> zeroinitializer
  %758 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %753, <4 x double> %757, <4 x double> %738)
  %759 = getelementptr inbounds nuw i8, ptr %752, i64 32
  %760 = load <4 x double>, ptr %759, align 32
  %761 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %760, <4 x double> %757, <4 x double> %739)
  %762 = add nuw nsw i64 %735, 1
  %763 = add i64 %734, %675
  %764 = icmp slt i64 %763, %610
  %765 = select i1 %764, i64 0, i64 %610
  %766 = sub i64 %763, %765
  %767 = icmp eq i64 %762, %626
  br i1 %767, label %679, label %733

768:
  switch i64 %610, label %1578 [
    i64 2, label %769
    i64 3, label %830
    i64 4, label %935
    i64 5, label %1068
    i64 8, label %1267
  ]

769:
  br i1 %611, label %770, label %787

770:
  br i1 %604, label %771, label %1578

771:
  %772 = phi i64 [ %785, %771 ], [ 0, %770 ]
  %773 = getelementptr inbounds nuw %struct.Complex_f64, ptr %549, i64 %772
  %774 = load <4 x double>, ptr %773, align 32
  %775 = getelementptr inbounds nuw i8, ptr %773, i64 32
  %776 = load <4 x double>, ptr %775, align 32
  %777 = getelementptr inbounds nuw i8, ptr %773, i64 64
  %778 = load <4 x double>, ptr %777, align 32
  %779 = getelementptr inbounds nuw i8, ptr %773, i64 96
  %780 = load <4 x double>, ptr %779, align 32
  %781 = fadd <4 x double> %774, %778
  %782 = fadd <4 x double> %776, %780
  store <4 x double> %781, ptr %773, align 32
  store <4 x double> %782, ptr %775, align 32
  %783 = fsub <4 x double> %774, %778
  %784 = fsub <4 x double> %776, %780
  store <4 x double> %783, ptr %777, align 32
  store <4 x double> %784, ptr %779, align 32
  %785 = add nuw nsw i64 %772, 2
  %786 = icmp slt i64 %785, %599
  br i1 %786, label %771, label %1578

787:
  %788 = sdiv i64 %606, 2
  br i1 %604, label %789, label %1578

789:
  %790 = icmp sgt i64 %606, 1
  br label %791

791:
  %792 = phi i64 [ 0, %789 ], [ %796, %795 ]
  br i1 %790, label %793, label %795

793:
  %794 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %792
  br label %798

795:
  %796 = add i64 %792, %606
  %797 = icmp slt i64 %796, %599
  br i1 %797, label %791, label %1578

798:
  %799 = phi i64 [ 0, %793 ], [ %828, %798 ]
  %800 = getelementptr inbounds nuw %struct.Complex_f64, ptr %794, i64 %799
  %801 = load <4 x double>, ptr %800, align 32
  %802 = getelementptr inbounds nuw i8, ptr %800, i64 32
  %803 = load <4 x double>, ptr %802, align 32
  %804 = getelementptr inbounds nuw %struct.Complex_f64, ptr %800, i64 %788
  %805 = load <4 x double>, ptr %804, align 32
  %806 = getelementptr inbounds nuw i8, ptr %804, i64 32
  %807 = load <4 x double>, ptr %806, align 32
  %808 = fadd <4 x double> %801, %805
  %809 = fadd <4 x double> %803, %807
  store <4 x double> %808, ptr %800, align 32
  store <4 x double> %809, ptr %802, align 32
  %810 = fsub <4 x double> %801, %805
  %811 = fsub <4 x double> %803, %807
  %812 = shl i64 %799, 4
  %813 = getelementptr inbounds i8, ptr %607, i64 %812
  %814 = load double, ptr %813, align 8
  %815 = insertelement <4 x double> poison, double %814, i64 0
  %816 = shufflevector <4 x double> %815, <4 x double> poison, <4 x i32> zeroinitializer
  %817 = getelementptr inbounds nuw i8, ptr %813, i64 8
  %818 = load double, ptr %817, align 8
  %819 = insertelement <4 x double> poison, double %818, i64 0
  %820 = fneg double %818
  %821 = insertelement <4 x double> poison, double %820, i64 0
  %822 = shufflevector <4 x double> %821, <4 x double> poison, <4 x i32> zeroinitializer
  %823 = fmul <4 x double> %811, %822
  %824 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %810, <4 x double> %816, <4 x double> %823)
  %825 = shufflevector <4 x double> %819, <4 x double> poison, <4 x i32> zeroinitializer
  %826 = fmul <4 x double> %810, %825
  %827 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %811, <4 x double> %816, <4 x double> %826)
  store <4 x double> %824, ptr %804, align 32
  store <4 x double> %827, ptr %806, align 32
  %828 = add nuw nsw i64 %799, 1
  %829 = icmp eq i64 %828, %788
  br i1 %829, label %795, label %798

830:
  br i1 %611, label %831, label %862

831:
  br i1 %604, label %832, label %1578

832:
  %833 = phi i64 [ %860, %832 ], [ 0, %831 ]
  %834 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %833
  %835 = load <4 x double>, ptr %834, align 32
  %836 = getelementptr inbounds nuw i8, ptr %834, i64 32
  %837 = load <4 x double>, ptr %836, align 32
  %838 = getelementptr inbounds nuw i8, ptr %834, i64 64
  %839 = getelementptr inbounds nuw i8, ptr %834, i64 128
  %840 = load <4 x double>, ptr %839, align 32
  %841 = getelementptr inbounds nuw i8, ptr %834, i64 160
  %842 = load <4 x double>, ptr %841, align 32
  %843 = load <4 x double>, ptr %838, align 32
  %844 = getelementptr inbounds nuw i8, ptr %834, i64 96
  %845 = load <4 x double>, ptr %844, align 32
  %846 = fadd <4 x double> %840, %843
  %847 = fadd <4 x double> %842, %845
  %848 = fsub <4 x double> %843, %840
  %849 = fsub <4 x double> %845, %842
  %850 = fmul <4 x double> %849, splat (double 0x3FEBB67AE8584CAA)
  %851 = fmul <4 x double> %848, splat (double 0xBFEBB67AE8584CAA)
  %852 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %846, <4 x double> splat (double -5.000000e-01), <4 x double> %835)
  %853 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %847, <4 x double> splat (double -5.000000e-01), <4 x double> %837)
  %854 = fadd <4 x double> %835, %846
  %855 = fadd <4 x double> %837, %847
  store <4 x double> %854, ptr %834, align 32
  store <4 x double> %855, ptr %836, align 32
  %856 = fadd <4 x double> %852, %850
  %857 = fadd <4 x double> %851, %853
  store <4 x double> %856, ptr %838, align 32
  store <4 x double> %857, ptr %844, align 32
  %858 = fsub <4 x double> %852, %850
  %859 = fsub <4 x double> %853, %851
  store <4 x double> %858, ptr %839, align 32
  store <4 x double> %859, ptr %841, align 32
  %860 = add i64 %833, 3
  %861 = icmp slt i64 %860, %599
  br i1 %861, label %832, label %1578

862:
  %863 = sdiv i64 %606, 3
  br i1 %604, label %864, label %1578

864:
  %865 = icmp sgt i64 %606, 2
  %866 = shl nsw i64 %863, 7
  br label %867

867:
  %868 = phi i64 [ 0, %864 ], [ %872, %871 ]
  br i1 %865, label %869, label %871

869:
  %870 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %868
  br label %874

871:
  %872 = add i64 %868, %606
  %873 = icmp slt i64 %872, %599
  br i1 %873, label %867, label %1578

874:
  %875 = phi i64 [ 0, %869 ], [ %933, %874 ]
  %876 = getelementptr inbounds nuw %struct.Complex_f64, ptr %870, i64 %875
  %877 = load <4 x double>, ptr %876, align 32
  %878 = getelementptr inbounds nuw i8, ptr %876, i64 32
  %879 = load <4 x double>, ptr %878, align 32
  %880 = getelementptr inbounds nuw %struct.Complex_f64, ptr %876, i64 %863
  %881 = getelementptr inbounds nuw i8, ptr %876, i64 %866
  %882 = load <4 x double>, ptr %881, align 32
  %883 = getelementptr inbounds nuw i8, ptr %881, i64 32
  %884 = load <4 x double>, ptr %883, align 32
  %885 = load <4 x double>, ptr %880, align 32
  %886 = getelementptr inbounds nuw i8, ptr %880, i64 32
  %887 = load <4 x double>, ptr %886, align 32
  %888 = fadd <4 x double> %882, %885
  %889 = fadd <4 x double> %884, %887
  %890 = fsub <4 x double> %885, %882
  %891 = fsub <4 x double> %887, %884
  %892 = fmul <4 x double> %891, splat (double 0x3FEBB67AE8584CAA)
  %893 = fmul <4 x double> %890, splat (double 0xBFEBB67AE8584CAA)
  %894 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %888, <4 x double> splat (double -5.000000e-01), <4 x double> %877)
  %895 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %889, <4 x double> splat (double -5.000000e-01), <4 x double> %879)
  %896 = shl i64 %875, 5
  %897 = getelementptr inbounds i8, ptr %607, i64 %896
  %898 = fadd <4 x double> %877, %888
  %899 = fadd <4 x double> %879, %889
  store <4 x double> %898, ptr %876, align 32
  store <4 x double> %899, ptr %878, align 32
  %900 = fadd <4 x double> %894, %892
  %901 = fadd <4 x double> %893, %895
  %902 = load double, ptr %897, align 8
  %903 = insertelement <4 x double> poison, double %902, i64 0
  %904 = shufflevector <4 x double> %903, <4 x double> poison, <4 x i32> zeroinitializer
  %905 = getelementptr inbounds nuw i8, ptr %897, i64 8
  %906 = load double, ptr %905, align 8
  %907 = insertelement <4 x double> poison, double %906, i64 0
  %908 = fneg double %906
  %909 = insertelement <4 x double> poison, double %908, i64 0
  %910 = shufflevector <4 x double> %909, <4 x double> poison, <4 x i32> zeroinitializer
  %911 = fmul <4 x double> %901, %910
  %912 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %900, <4 x double> %904, <4 x double> %911)
  %913 = shufflevector <4 x double> %907, <4 x double> poison, <4 x i32> zeroinitializer
  %914 = fmul <4 x double> %900, %913
  %915 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %901, <4 x double> %904, <4 x double> %914)
  store <4 x double> %912, ptr %880, align 32
  store <4 x double> %915, ptr %886, align 32
  %916 = fsub <4 x double> %894, %892
  %917 = fsub <4 x double> %895, %893
  %918 = getelementptr inbounds nuw i8, ptr %897, i64 16
  %919 = load double, ptr %918, align 8
  %920 = insertelement <4 x double> poison, double %919, i64 0
  %921 = shufflevector <4 x double> %920, <4 x double> poison, <4 x i32> zeroinitializer
  %922 = getelementptr inbounds nuw i8, ptr %897, i64 24
  %923 = load double, ptr %922, align 8
  %924 = insertelement <4 x double> poison, double %923, i64 0
  %925 = fneg double %923
  %926 = insertelement <4 x double> poison, double %925, i64 0
  %927 = shufflevector <4 x double> %926, <4 x double> poison, <4 x i32> zeroinitializer
  %928 = fmul <4 x double> %917, %927
  %929 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %916, <4 x double> %921, <4 x double> %928)
  %930 = shufflevector <4 x double> %924, <4 x double> poison, <4 x i32> zeroinitializer
  %931 = fmul <4 x double> %916, %930
  %932 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %917, <4 x double> %921, <4 x double> %931)
  store <4 x double> %929, ptr %881, align 32
  store <4 x double> %932, ptr %883, align 32
  %933 = add nuw nsw i64 %875, 1
  %934 = icmp eq i64 %933, %863
  br i1 %934, label %871, label %874

935:
  br i1 %611, label %936, label %973

936:
  br i1 %604, label %937, label %1578

937:
  %938 = phi i64 [ %971, %937 ], [ 0, %936 ]
  %939 = getelementptr inbounds nuw %struct.Complex_f64, ptr %549, i64 %938
  %940 = getelementptr inbounds nuw i8, ptr %939, i64 64
  %941 = getelementptr inbounds nuw i8, ptr %939, i64 128
  %942 = getelementptr inbounds nuw i8, ptr %939, i64 192
  %943 = load <4 x double>, ptr %942, align 32
  %944 = getelementptr inbounds nuw i8, ptr %939, i64 224
  %945 = load <4 x double>, ptr %944, align 32
  %946 = load <4 x double>, ptr %941, align 32
  %947 = getelementptr inbounds nuw i8, ptr %939, i64 160
  %948 = load <4 x double>, ptr %947, align 32
  %949 = load <4 x double>, ptr %940, align 32
  %950 = getelementptr inbounds nuw i8, ptr %939, i64 96
  %951 = load <4 x double>, ptr %950, align 32
  %952 = load <4 x double>, ptr %939, align 32
  %953 = getelementptr inbounds nuw i8, ptr %939, i64 32
  %954 = load <4 x double>, ptr %953, align 32
  %955 = fadd <4 x double> %946, %952
  %956 = fadd <4 x double> %948, %954
  %957 = fsub <4 x double> %952, %946
  %958 = fsub <4 x double> %954, %948
  %959 = fadd <4 x double> %943, %949
  %960 = fadd <4 x double> %945, %951
  %961 = fsub <4 x double> %949, %943
  %962 = fsub <4 x double> %951, %945
  %963 = fadd <4 x double> %959, %955
  %964 = fadd <4 x double> %960, %956
  %965 = fadd <4 x double> %962, %957
  %966 = fsub <4 x double> %958, %961
  %967 = fsub <4 x double> %955, %959
  %968 = fsub <4 x double> %956, %960
  %969 = fsub <4 x double> %957, %962
  %970 = fadd <4 x double> %961, %958
  store <4 x double> %963, ptr %939, align 32
  store <4 x double> %964, ptr %953, align 32
  store <4 x double> %965, ptr %940, align 32
  store <4 x double> %966, ptr %950, align 32
  store <4 x double> %967, ptr %941, align 32
  store <4 x double> %968, ptr %947, align 32
  store <4 x double> %969, ptr %942, align 32
  store <4 x double> %970, ptr %944, align 32
  %971 = add nuw nsw i64 %938, 4
  %972 = icmp slt i64 %971, %599
  br i1 %972, label %937, label %1578

973:
  %974 = sdiv i64 %606, 4
  br i1 %604, label %975, label %1578

975:
  %976 = icmp sgt i64 %606, 3
  %977 = shl nsw i64 %974, 7
  %978 = mul nsw i64 %974, 192
  br label %979

979:
  %980 = phi i64 [ 0, %975 ], [ %984, %983 ]
  br i1 %976, label %981, label %983

981:
  %982 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %980
  br label %986

983:
  %984 = add i64 %980, %606
  %985 = icmp slt i64 %984, %599
  br i1 %985, label %979, label %1578

986:
  %987 = phi i64 [ 0, %981 ], [ %1066, %986 ]
  %988 = getelementptr inbounds nuw %struct.Complex_f64, ptr %982, i64 %987
  %989 = mul i64 %987, 48
  %990 = getelementptr inbounds i8, ptr %607, i64 %989
  %991 = getelementptr inbounds nuw %struct.Complex_f64, ptr %988, i64 %974
  %992 = getelementptr inbounds nuw i8, ptr %988, i64 %977
  %993 = getelementptr inbounds nuw i8, ptr %988, i64 %978
  %994 = load <4 x double>, ptr %993, align 32
  %995 = getelementptr inbounds nuw i8, ptr %993, i64 32
  %996 = load <4 x double>, ptr %995, align 32
  %997 = load <4 x double>, ptr %992, align 32
  %998 = getelementptr inbounds nuw i8, ptr %992, i64 32
  %999 = load <4 x double>, ptr %998, align 32
  %1000 = load <4 x double>, ptr %991, align 32
  %1001 = getelementptr inbounds nuw i8, ptr %991, i64 32
  %1002 = load <4 x double>, ptr %1001, align 32
  %1003 = load <4 x double>, ptr %988, align 32
  %1004 = getelementptr inbounds nuw i8, ptr %988, i64 32
  %1005 = load <4 x double>, ptr %1004, align 32
  %1006 = fadd <4 x double> %997, %1003
  %1007 = fadd <4 x double> %999, %1005
  %1008 = fsub <4 x double> %1003, %997
  %1009 = fsub <4 x double> %1005, %999
  %1010 = fadd <4 x double> %994, %1000
  %1011 = fadd <4 x double> %996, %1002
  %1012 = fsub <4 x double> %1000, %994
  %1013 = fsub <4 x double> %1002, %996
  %1014 = fadd <4 x double> %1010, %1006
  %1015 = fadd <4 x double> %1011, %1007
  %1016 = fadd <4 x double> %1013, %1008
  %1017 = fsub <4 x double> %1009, %1012
  %1018 = fsub <4 x double> %1006, %1010
  %1019 = fsub <4 x double> %1007, %1011
  %1020 = fsub <4 x double> %1008, %1013
  %1021 = fadd <4 x double> %1012, %1009
  store <4 x double> %1014, ptr %988, align 32
  store <4 x double> %1015, ptr %1004, align 32
  %1022 = load double, ptr %990, align 8
  %1023 = insertelement <4 x double> poison, double %1022, i64 0
  %1024 = shufflevector <4 x double> %1023, <4 x double> poison, <4 x i32> zeroinitializer
  %1025 = getelementptr inbounds nuw i8, ptr %990, i64 8
  %1026 = load double, ptr %1025, align 8
  %1027 = insertelement <4 x double> poison, double %1026, i64 0
  %1028 = fneg double %1026
  %1029 = insertelement <4 x double> poison, double %1028, i64 0
  %1030 = shufflevector <4 x double> %1029, <4 x double> poison, <4 x i32> zeroinitializer
  %1031 = fmul <4 x double> %1017, %1030
  %1032 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1016, <4 x double> %1024, <4 x double> %1031)
  %1033 = shufflevector <4 x double> %1027, <4 x double> poison, <4 x i32> zeroinitializer
  %1034 = fmul <4 x double> %1016, %1033
  %1035 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1017, <4 x double> %1024, <4 x double> %1034)
  store <4 x double> %1032, ptr %991, align 32
  store <4 x double> %1035, ptr %1001, align 32
  %1036 = getelementptr inbounds nuw i8, ptr %990, i64 16
  %1037 = load double, ptr %1036, align 8
  %1038 = insertelement <4 x double> poison, double %1037, i64 0
  %1039 = shufflevector <4 x double> %1038, <4 x double> poison, <4 x i32> zeroinitializer
  %1040 = getelementptr inbounds nuw i8, ptr %990, i64 24
  %1041 = load double, ptr %1040, align 8
  %1042 = insertelement <4 x double> poison, double %1041, i64 0
  %1043 = fneg double %1041
  %1044 = insertelement <4 x double> poison, double %1043, i64 0
  %1045 = shufflevector <4 x double> %1044, <4 x double> poison, <4 x i32> zeroinitializer
  %1046 = fmul <4 x double> %1019, %1045
  %1047 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1018, <4 x double> %1039, <4 x double> %1046)
  %1048 = shufflevector <4 x double> %1042, <4 x double> poison, <4 x i32> zeroinitializer
  %1049 = fmul <4 x double> %1018, %1048
  %1050 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1019, <4 x double> %1039, <4 x double> %1049)
  store <4 x double> %1047, ptr %992, align 32
  store <4 x double> %1050, ptr %998, align 32
  %1051 = getelementptr inbounds nuw i8, ptr %990, i64 32
  %1052 = load double, ptr %1051, align 8
  %1053 = insertelement <4 x double> poison, double %1052, i64 0
  %1054 = shufflevector <4 x double> %1053, <4 x double> poison, <4 x i32> zeroinitializer
  %1055 = getelementptr inbounds nuw i8, ptr %990, i64 40
  %1056 = load double, ptr %1055, align 8
  %1057 = insertelement <4 x double> poison, double %1056, i64 0
  %1058 = fneg double %1056
  %1059 = insertelement <4 x double> poison, double %1058, i64 0
  %1060 = shufflevector <4 x double> %1059, <4 x double> poison, <4 x i32> zeroinitializer
  %1061 = fmul <4 x double> %1021, %1060
  %1062 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1020, <4 x double> %1054, <4 x double> %1061)
  %1063 = shufflevector <4 x double> %1057, <4 x double> poison, <4 x i32> zeroinitializer
  %1064 = fmul <4 x double> %1020, %1063
  %1065 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1021, <4 x double> %1054, <4 x double> %1064)
  store <4 x double> %1062, ptr %993, align 32
  store <4 x double> %1065, ptr %995, align 32
  %1066 = add nuw nsw i64 %987, 1
  %1067 = icmp eq i64 %1066, %974
  br i1 %1067, label %983, label %986

1068:
  br i1 %611, label %1069, label %1131

1069:
  br i1 %604, label %1070, label %1578

1070:
  %1071 = phi i64 [ %1129, %1070 ], [ 0, %1069 ]
  %1072 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1071
  %1073 = load <4 x double>, ptr %1072, align 32
  %1074 = getelementptr inbounds nuw i8, ptr %1072, i64 32
  %1075 = load <4 x double>, ptr %1074, align 32
  %1076 = getelementptr inbounds nuw i8, ptr %1072, i64 64
  %1077 = getelementptr inbounds nuw i8, ptr %1072, i64 256
  %1078 = load <4 x double>, ptr %1077, align 32
  %1079 = getelementptr inbounds nuw i8, ptr %1072, i64 288
  %1080 = load <4 x double>, ptr %1079, align 32
  %1081 = load <4 x double>, ptr %1076, align 32
  %1082 = getelementptr inbounds nuw i8, ptr %1072, i64 96
  %1083 = load <4 x double>, ptr %1082, align 32
  %1084 = fadd <4 x double> %1078, %1081
  %1085 = fadd <4 x double> %1080, %1083
  %1086 = fsub <4 x double> %1081, %1078
  %1087 = fsub <4 x double> %1083, %1080
  %1088 = fneg <4 x double> %1086
  %1089 = getelementptr inbounds nuw i8, ptr %1072, i64 128
  %1090 = getelementptr inbounds nuw i8, ptr %1072, i64 192
  %1091 = load <4 x double>, ptr %1090, align 32
  %1092 = getelementptr inbounds nuw i8, ptr %1072, i64 224
  %1093 = load <4 x double>, ptr %1092, align 32
  %1094 = load <4 x double>, ptr %1089, align 32
  %1095 = getelementptr inbounds nuw i8, ptr %1072, i64 160
  %1096 = load <4 x double>, ptr %1095, align 32
  %1097 = fadd <4 x double> %1091, %1094
  %1098 = fadd <4 x double> %1093, %1096
  %1099 = fsub <4 x double> %1094, %1091
  %1100 = fsub <4 x double> %1096, %1093
  %1101 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1084, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1073)
  %1102 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1097, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1101)
  %1103 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1085, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1075)
  %1104 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1098, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1103)
  %1105 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1084, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1073)
  %1106 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1097, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1105)
  %1107 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1085, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1075)
  %1108 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1098, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1107)
  %1109 = fmul <4 x double> %1100, splat (double 0x3FE2CF2304755A5E)
  %1110 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1087, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1109)
  %1111 = fmul <4 x double> %1099, splat (double 0xBFE2CF2304755A5E)
  %1112 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1088, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1111)
  %1113 = fmul <4 x double> %1100, splat (double 0xBFEE6F0E134454FF)
  %1114 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1087, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1113)
  %1115 = fmul <4 x double> %1099, splat (double 0x3FEE6F0E134454FF)
  %1116 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1088, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1115)
  %1117 = fadd <4 x double> %1084, %1097
  %1118 = fadd <4 x double> %1085, %1098
  %1119 = fadd <4 x double> %1073, %1117
  %1120 = fadd <4 x double> %1075, %1118
  store <4 x double> %1119, ptr %1072, align 32
  store <4 x double> %1120, ptr %1074, align 32
  %1121 = fadd <4 x double> %1102, %1110
  %1122 = fadd <4 x double> %1104, %1112
  store <4 x double> %1121, ptr %1076, align 32
  store <4 x double> %1122, ptr %1082, align 32
  %1123 = fadd <4 x double> %1106, %1114
  %1124 = fadd <4 x double> %1108, %1116
  store <4 x double> %1123, ptr %1089, align 32
  store <4 x double> %1124, ptr %1095, align 32
  %1125 = fsub <4 x double> %1106, %1114
  %1126 = fsub <4 x double> %1108, %1116
  store <4 x double> %1125, ptr %1090, align 32
  store <4 x double> %1126, ptr %1092, align 32
  %1127 = fsub <4 x double> %1102, %1110
  %1128 = fsub <4 x double> %1104, %1112
  store <4 x double> %1127, ptr %1077, align 32
  store <4 x double> %1128, ptr %1079, align 32
  %1129 = add i64 %1071, 5
  %1130 = icmp slt i64 %1129, %599
  br i1 %1130, label %1070, label %1578

1131:
  %1132 = sdiv i64 %606, 5
  br i1 %604, label %1133, label %1578

1133:
  %1134 = icmp sgt i64 %606, 4
  %1135 = shl nsw i64 %1132, 8
  %1136 = shl nsw i64 %1132, 7
  %1137 = mul nsw i64 %1132, 192
  br label %1138

1138:
  %1139 = phi i64 [ 0, %1133 ], [ %1143, %1142 ]
  br i1 %1134, label %1140, label %1142

1140:
  %1141 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1139
  br label %1145

1142:
  %1143 = add i64 %1139, %606
  %1144 = icmp slt i64 %1143, %599
  br i1 %1144, label %1138, label %1578

1145:
  %1146 = phi i64 [ 0, %1140 ], [ %1265, %1145 ]
  %1147 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1141, i64 %1146
  %1148 = load <4 x double>, ptr %1147, align 32
  %1149 = getelementptr inbounds nuw i8, ptr %1147, i64 32
  %1150 = load <4 x double>, ptr %1149, align 32
  %1151 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1147, i64 %1132
  %1152 = getelementptr inbounds nuw i8, ptr %1147, i64 %1135
  %1153 = load <4 x double>, ptr %1152, align 32
  %1154 = getelementptr inbounds nuw i8, ptr %1152, i64 32
  %1155 = load <4 x double>, ptr %1154, align 32
  %1156 = load <4 x double>, ptr %1151, align 32
  %1157 = getelementptr inbounds nuw i8, ptr %1151, i64 32
  %1158 = load <4 x double>, ptr %1157, align 32
  %1159 = fadd <4 x double> %1153, %1156
  %1160 = fadd <4 x double> %1155, %1158
  %1161 = fsub <4 x double> %1156, %1153
  %1162 = fsub <4 x double> %1158, %1155
  %1163 = fneg <4 x double> %1161
  %1164 = getelementptr inbounds nuw i8, ptr %1147, i64 %1136
  %1165 = getelementptr inbounds nuw i8, ptr %1147, i64 %1137
  %1166 = load <4 x double>, ptr %1165, align 32
  %1167 = getelementptr inbounds nuw i8, ptr %1165, i64 32
  %1168 = load <4 x double>, ptr %1167, align 32
  %1169 = load <4 x double>, ptr %1164, align 32
  %1170 = getelementptr inbounds nuw i8, ptr %1164, i64 32
  %1171 = load <4 x double>, ptr %1170, align 32
  %1172 = fadd <4 x double> %1166, %1169
  %1173 = fadd <4 x double> %1168, %1171
  %1174 = fsub <4 x double> %1169, %1166
  %1175 = fsub <4 x double> %1171, %1168
  %1176 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1159, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1148)
  %1177 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1172, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1176)
  %1178 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1160, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1150)
  %1179 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1173, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1178)
  %1180 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1159, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1148)
  %1181 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1172, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1180)
  %1182 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1160, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %1150)
  %1183 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1173, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %1182)
  %1184 = fmul <4 x double> %1175, splat (double 0x3FE2CF2304755A5E)
  %1185 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1162, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1184)
  %1186 = fmul <4 x double> %1174, splat (double 0xBFE2CF2304755A5E)
  %1187 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1163, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %1186)
  %1188 = fmul <4 x double> %1175, splat (double 0xBFEE6F0E134454FF)
  %1189 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1162, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1188)
  %1190 = fmul <4 x double> %1174, splat (double 0x3FEE6F0E134454FF)
  %1191 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1163, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %1190)
  %1192 = shl i64 %1146, 6
  %1193 = getelementptr inbounds i8, ptr %607, i64 %1192
  %1194 = fadd <4 x double> %1159, %1172
  %1195 = fadd <4 x double> %1160, %1173
  %1196 = fadd <4 x double> %1148, %1194
  %1197 = fadd <4 x double> %1150, %1195
  store <4 x double> %1196, ptr %1147, align 32
  store <4 x double> %1197, ptr %1149, align 32
  %1198 = fadd <4 x double> %1177, %1185
  %1199 = fadd <4 x double> %1179, %1187
  %1200 = load double, ptr %1193, align 8
  %1201 = insertelement <4 x double> poison, double %1200, i64 0
  %1202 = shufflevector <4 x double> %1201, <4 x double> poison, <4 x i32> zeroinitializer
  %1203 = getelementptr inbounds nuw i8, ptr %1193, i64 8
  %1204 = load double, ptr %1203, align 8
  %1205 = insertelement <4 x double> poison, double %1204, i64 0
  %1206 = fneg double %1204
  %1207 = insertelement <4 x double> poison, double %1206, i64 0
  %1208 = shufflevector <4 x double> %1207, <4 x double> poison, <4 x i32> zeroinitializer
  %1209 = fmul <4 x double> %1199, %1208
  %1210 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1198, <4 x double> %1202, <4 x double> %1209)
  %1211 = shufflevector <4 x double> %1205, <4 x double> poison, <4 x i32> zeroinitializer
  %1212 = fmul <4 x double> %1198, %1211
  %1213 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1199, <4 x double> %1202, <4 x double> %1212)
  store <4 x double> %1210, ptr %1151, align 32
  store <4 x double> %1213, ptr %1157, align 32
  %1214 = fadd <4 x double> %1181, %1189
  %1215 = fadd <4 x double> %1183, %1191
  %1216 = getelementptr inbounds nuw i8, ptr %1193, i64 16
  %1217 = load double, ptr %1216, align 8
  %1218 = insertelement <4 x double> poison, double %1217, i64 0
  %1219 = shufflevector <4 x double> %1218, <4 x double> poison, <4 x i32> zeroinitializer
  %1220 = getelementptr inbounds nuw i8, ptr %1193, i64 24
  %1221 = load double, ptr %1220, align 8
  %1222 = insertelement <4 x double> poison, double %1221, i64 0
  %1223 = fneg double %1221
  %1224 = insertelement <4 x double> poison, double %1223, i64 0
  %1225 = shufflevector <4 x double> %1224, <4 x double> poison, <4 x i32> zeroinitializer
  %1226 = fmul <4 x double> %1215, %1225
  %1227 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1214, <4 x double> %1219, <4 x double> %1226)
  %1228 = shufflevector <4 x double> %1222, <4 x double> poison, <4 x i32> zeroinitializer
  %1229 = fmul <4 x double> %1214, %1228
  %1230 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1215, <4 x double> %1219, <4 x double> %1229)
  store <4 x double> %1227, ptr %1164, align 32
  store <4 x double> %1230, ptr %1170, align 32
  %1231 = fsub <4 x double> %1181, %1189
  %1232 = fsub <4 x double> %1183, %1191
  %1233 = getelementptr inbounds nuw i8, ptr %1193, i64 32
  %1234 = load double, ptr %1233, align 8
  %1235 = insertelement <4 x double> poison, double %1234, i64 0
  %1236 = shufflevector <4 x double> %1235, <4 x double> poison, <4 x i32> zeroinitializer
  %1237 = getelementptr inbounds nuw i8, ptr %1193, i64 40
  %1238 = load double, ptr %1237, align 8
  %1239 = insertelement <4 x double> poison, double %1238, i64 0
  %1240 = fneg double %1238
  %1241 = insertelement <4 x double> poison, double %1240, i64 0
  %1242 = shufflevector <4 x double> %1241, <4 x double> poison, <4 x i32> zeroinitializer
  %1243 = fmul <4 x double> %1232, %1242
  %1244 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1231, <4 x double> %1236, <4 x double> %1243)
  %1245 = shufflevector <4 x double> %1239, <4 x double> poison, <4 x i32> zeroinitializer
  %1246 = fmul <4 x double> %1231, %1245
  %1247 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1232, <4 x double> %1236, <4 x double> %1246)
  store <4 x double> %1244, ptr %1165, align 32
  store <4 x double> %1247, ptr %1167, align 32
  %1248 = fsub <4 x double> %1177, %1185
  %1249 = fsub <4 x double> %1179, %1187
  %1250 = getelementptr inbounds nuw i8, ptr %1193, i64 48
  %1251 = load double, ptr %1250, align 8
  %1252 = insertelement <4 x double> poison, double %1251, i64 0
  %1253 = shufflevector <4 x double> %1252, <4 x double> poison, <4 x i32> zeroinitializer
  %1254 = getelementptr inbounds nuw i8, ptr %1193, i64 56
  %1255 = load double, ptr %1254, align 8
  %1256 = insertelement <4 x double> poison, double %1255, i64 0
  %1257 = fneg double %1255
  %1258 = insertelement <4 x double> poison, double %1257, i64 0
  %1259 = shufflevector <4 x double> %1258, <4 x double> poison, <4 x i32> zeroinitializer
  %1260 = fmul <4 x double> %1249, %1259
  %1261 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1248, <4 x double> %1253, <4 x double> %1260)
  %1262 = shufflevector <4 x double> %1256, <4 x double> poison, <4 x i32> zeroinitializer
  %1263 = fmul <4 x double> %1248, %1262
  %1264 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1249, <4 x double> %1253, <4 x double> %1263)
  store <4 x double> %1261, ptr %1152, align 32
  store <4 x double> %1264, ptr %1154, align 32
  %1265 = add nuw nsw i64 %1146, 1
  %1266 = icmp eq i64 %1265, %1132
  br i1 %1266, label %1142, label %1145

1267:
  br i1 %611, label %1268, label %1362

1268:
  br i1 %604, label %1269, label %1578

1269:
  %1270 = phi i64 [ %1360, %1269 ], [ 0, %1268 ]
  %1271 = getelementptr inbounds nuw %struct.Complex_f64, ptr %549, i64 %1270
  %1272 = getelementptr inbounds nuw i8, ptr %1271, i64 64
  %1273 = getelementptr inbounds nuw i8, ptr %1271, i64 320
  %1274 = load <4 x double>, ptr %1273, align 32
  %1275 = getelementptr inbounds nuw i8, ptr %1271, i64 352
  %1276 = load <4 x double>, ptr %1275, align 32
  %1277 = load <4 x double>, ptr %1272, align 32
  %1278 = getelementptr inbounds nuw i8, ptr %1271, i64 96
  %1279 = load <4 x double>, ptr %1278, align 32
  %1280 = fsub <4 x double> %1277, %1274
  %1281 = fsub <4 x double> %1279, %1276
  %1282 = getelementptr inbounds nuw i8, ptr %1271, i64 192
  %1283 = getelementptr inbounds nuw i8, ptr %1271, i64 448
  %1284 = load <4 x double>, ptr %1283, align 32
  %1285 = getelementptr inbounds nuw i8, ptr %1271, i64 480
  %1286 = load <4 x double>, ptr %1285, align 32
  %1287 = load <4 x double>, ptr %1282, align 32
  %1288 = getelementptr inbounds nuw i8, ptr %1271, i64 224
  %1289 = load <4 x double>, ptr %1288, align 32
  %1290 = fsub <4 x double> %1287, %1284
  %1291 = fsub <4 x double> %1289, %1286
  %1292 = fadd <4 x double> %1280, %1281
  %1293 = fmul <4 x double> %1292, splat (double 0x3FE6A09E667F3BCD)
  %1294 = fsub <4 x double> %1281, %1280
  %1295 = fmul <4 x double> %1294, splat (double 0x3FE6A09E667F3BCD)
  %1296 = fsub <4 x double> %1291, %1290
  %1297 = fmul <4 x double> %1296, splat (double 0x3FE6A09E667F3BCD)
  %1298 = fneg <4 x double> %1290
  %1299 = fsub <4 x double> %1298, %1291
  %1300 = fmul <4 x double> %1299, splat (double 0x3FE6A09E667F3BCD)
  %1301 = getelementptr inbounds nuw i8, ptr %1271, i64 256
  %1302 = load <4 x double>, ptr %1301, align 32
  %1303 = getelementptr inbounds nuw i8, ptr %1271, i64 288
  %1304 = load <4 x double>, ptr %1303, align 32
  %1305 = load <4 x double>, ptr %1271, align 32
  %1306 = getelementptr inbounds nuw i8, ptr %1271, i64 32
  %1307 = load <4 x double>, ptr %1306, align 32
  %1308 = fsub <4 x double> %1305, %1302
  %1309 = fsub <4 x double> %1307, %1304
  %1310 = getelementptr inbounds nuw i8, ptr %1271, i64 128
  %1311 = getelementptr inbounds nuw i8, ptr %1271, i64 384
  %1312 = load <4 x double>, ptr %1311, align 32
  %1313 = getelementptr inbounds nuw i8, ptr %1271, i64 416
  %1314 = load <4 x double>, ptr %1313, align 32
  %1315 = load <4 x double>, ptr %1310, align 32
  %1316 = getelementptr inbounds nuw i8, ptr %1271, i64 160
  %1317 = load <4 x double>, ptr %1316, align 32
  %1318 = fsub <4 x double> %1315, %1312
  %1319 = fsub <4 x double> %1317, %1314
  %1320 = fadd <4 x double> %1308, %1319
  %1321 = fsub <4 x double> %1309, %1318
  %1322 = fsub <4 x double> %1308, %1319
  %1323 = fadd <4 x double> %1309, %1318
  %1324 = fadd <4 x double> %1293, %1297
  %1325 = fadd <4 x double> %1295, %1300
  %1326 = fsub <4 x double> %1293, %1297
  %1327 = fsub <4 x double> %1295, %1300
  %1328 = fadd <4 x double> %1324, %1320
  %1329 = fadd <4 x double> %1325, %1321
  %1330 = fadd <4 x double> %1327, %1322
  %1331 = fsub <4 x double> %1323, %1326
  %1332 = fsub <4 x double> %1320, %1324
  %1333 = fsub <4 x double> %1321, %1325
  %1334 = fsub <4 x double> %1322, %1327
  %1335 = fadd <4 x double> %1326, %1323
  %1336 = fadd <4 x double> %1302, %1305
  %1337 = fadd <4 x double> %1304, %1307
  %1338 = fadd <4 x double> %1274, %1277
  %1339 = fadd <4 x double> %1276, %1279
  %1340 = fadd <4 x double> %1312, %1315
  %1341 = fadd <4 x double> %1314, %1317
  %1342 = fadd <4 x double> %1284, %1287
  %1343 = fadd <4 x double> %1286, %1289
  %1344 = fadd <4 x double> %1336, %1340
  %1345 = fadd <4 x double> %1337, %1341
  %1346 = fsub <4 x double> %1336, %1340
  %1347 = fsub <4 x double> %1337, %1341
  %1348 = fadd <4 x double> %1338, %1342
  %1349 = fadd <4 x double> %1339, %1343
  %1350 = fsub <4 x double> %1338, %1342
  %1351 = fsub <4 x double> %1339, %1343
  %1352 = fadd <4 x double> %1348, %1344
  %1353 = fadd <4 x double> %1349, %1345
  %1354 = fadd <4 x double> %1351, %1346
  %1355 = fsub <4 x double> %1347, %1350
  %1356 = fsub <4 x double> %1344, %1348
  %1357 = fsub <4 x double> %1345, %1349
  %1358 = fsub <4 x double> %1346, %1351
  %1359 = fadd <4 x double> %1350, %1347
  store <4 x double> %1352, ptr %1271, align 32
  store <4 x double> %1353, ptr %1306, align 32
  store <4 x double> %1328, ptr %1272, align 32
  store <4 x double> %1329, ptr %1278, align 32
  store <4 x double> %1354, ptr %1310, align 32
  store <4 x double> %1355, ptr %1316, align 32
  store <4 x double> %1330, ptr %1282, align 32
  store <4 x double> %1331, ptr %1288, align 32
  store <4 x double> %1356, ptr %1301, align 32
  store <4 x double> %1357, ptr %1303, align 32
  store <4 x double> %1332, ptr %1273, align 32
  store <4 x double> %1333, ptr %1275, align 32
  store <4 x double> %1358, ptr %1311, align 32
  store <4 x double> %1359, ptr %1313, align 32
  store <4 x double> %1334, ptr %1283, align 32
  store <4 x double> %1335, ptr %1285, align 32
  %1360 = add nuw nsw i64 %1270, 8
  %1361 = icmp slt i64 %1360, %599
  br i1 %1361, label %1269, label %1578

1362:
  %1363 = sdiv i64 %606, 8
  br i1 %604, label %1364, label %1578

1364:
  %1365 = icmp sgt i64 %606, 7
  %1366 = mul nsw i64 %1363, 320
  %1367 = mul nsw i64 %1363, 192
  %1368 = mul nsw i64 %1363, 448
  %1369 = shl nsw i64 %1363, 8
  %1370 = shl nsw i64 %1363, 7
  %1371 = mul nsw i64 %1363, 384
  br label %1372

1372:
  %1373 = phi i64 [ 0, %1364 ], [ %1377, %1376 ]
  br i1 %1365, label %1374, label %1376

1374:
  %1375 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1373
  br label %1379

1376:
  %1377 = add i64 %1373, %606
  %1378 = icmp slt i64 %1377, %599
  br i1 %1378, label %1372, label %1578

1379:
  %1380 = phi i64 [ 0, %1374 ], [ %1576, %1379 ]
  %1381 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1375, i64 %1380
  %1382 = mul i64 %1380, 112
  %1383 = getelementptr inbounds i8, ptr %607, i64 %1382
  %1384 = getelementptr inbounds nuw %struct.Complex_f64, ptr %1381, i64 %1363
  %1385 = getelementptr inbounds nuw i8, ptr %1381, i64 %1366
  %1386 = load <4 x double>, ptr %1385, align 32
  %1387 = getelementptr inbounds nuw i8, ptr %1385, i64 32
  %1388 = load <4 x double>, ptr %1387, align 32
  %1389 = load <4 x double>, ptr %1384, align 32
  %1390 = getelementptr inbounds nuw i8, ptr %1384, i64 32
  %1391 = load <4 x double>, ptr %1390, align 32
  %1392 = fsub <4 x double> %1389, %1386
  %1393 = fsub <4 x double> %1391, %1388
  %1394 = getelementptr inbounds nuw i8, ptr %1381, i64 %1367
  %1395 = getelementptr inbounds nuw i8, ptr %1381, i64 %1368
  %1396 = load <4 x double>, ptr %1395, align 32
  %1397 = getelementptr inbounds nuw i8, ptr %1395, i64 32
  %1398 = load <4 x double>, ptr %1397, align 32
  %1399 = load <4 x double>, ptr %1394, align 32
  %1400 = getelementptr inbounds nuw i8, ptr %1394, i64 32
  %1401 = load <4 x double>, ptr %1400, align 32
  %1402 = fsub <4 x double> %1399, %1396
  %1403 = fsub <4 x double> %1401, %1398
  %1404 = fadd <4 x double> %1392, %1393
  %1405 = fmul <4 x double> %1404, splat (double 0x3FE6A09E667F3BCD)
  %1406 = fsub <4 x double> %1393, %1392
  %1407 = fmul <4 x double> %1406, splat (double 0x3FE6A09E667F3BCD)
  %1408 = fsub <4 x double> %1403, %1402
  %1409 = fmul <4 x double> %1408, splat (double 0x3FE6A09E667F3BCD)
  %1410 = fneg <4 x double> %1402
  %1411 = fsub <4 x double> %1410, %1403
  %1412 = fmul <4 x double> %1411, splat (double 0x3FE6A09E667F3BCD)
  %1413 = getelementptr inbounds nuw i8, ptr %1381, i64 %1369
  %1414 = load <4 x double>, ptr %1413, align 32
  %1415 = getelementptr inbounds nuw i8, ptr %1413, i64 32
  %1416 = load <4 x double>, ptr %1415, align 32
  %1417 = load <4 x double>, ptr %1381, align 32
  %1418 = getelementptr inbounds nuw i8, ptr %1381, i64 32
  %1419 = load <4 x double>, ptr %1418, align 32
  %1420 = fsub <4 x double> %1417, %1414
  %1421 = fsub <4 x double> %1419, %1416
  %1422 = getelementptr inbounds nuw i8, ptr %1381, i64 %1370
  %1423 = getelementptr inbounds nuw i8, ptr %1381, i64 %1371
  %1424 = load <4 x double>, ptr %1423, align 32
  %1425 = getelementptr inbounds nuw i8, ptr %1423, i64 32
  %1426 = load <4 x double>, ptr %1425, align 32
  %1427 = load <4 x double>, ptr %1422, align 32
  %1428 = getelementptr inbounds nuw i8, ptr %1422, i64 32
  %1429 = load <4 x double>, ptr %1428, align 32
  %1430 = fsub <4 x double> %1427, %1424
  %1431 = fsub <4 x double> %1429, %1426
  %1432 = fadd <4 x double> %1420, %1431
  %1433 = fsub <4 x double> %1421, %1430
  %1434 = fsub <4 x double> %1420, %1431
  %1435 = fadd <4 x double> %1421, %1430
  %1436 = fadd <4 x double> %1405, %1409
  %1437 = fadd <4 x double> %1407, %1412
  %1438 = fsub <4 x double> %1405, %1409
  %1439 = fsub <4 x double> %1407, %1412
  %1440 = fadd <4 x double> %1436, %1432
  %1441 = fadd <4 x double> %1437, %1433
  %1442 = fadd <4 x double> %1439, %1434
  %1443 = fsub <4 x double> %1435, %1438
  %1444 = fsub <4 x double> %1432, %1436
  %1445 = fsub <4 x double> %1433, %1437
  %1446 = fsub <4 x double> %1434, %1439
  %1447 = fadd <4 x double> %1438, %1435
  %1448 = fadd <4 x double> %1414, %1417
  %1449 = fadd <4 x double> %1416, %1419
  %1450 = fadd <4 x double> %1386, %1389
  %1451 = fadd <4 x double> %1388, %1391
  %1452 = fadd <4 x double> %1424, %1427
  %1453 = fadd <4 x double> %1426, %1429
  %1454 = fadd <4 x double> %1396, %1399
  %1455 = fadd <4 x double> %1398, %1401
  %1456 = fadd <4 x double> %1448, %1452
  %1457 = fadd <4 x double> %1449, %1453
  %1458 = fsub <4 x double> %1448, %1452
  %1459 = fsub <4 x double> %1449, %1453
  %1460 = fadd <4 x double> %1450, %1454
  %1461 = fadd <4 x double> %1451, %1455
  %1462 = fsub <4 x double> %1450, %1454
  %1463 = fsub <4 x double> %1451, %1455
  %1464 = fadd <4 x double> %1460, %1456
  %1465 = fadd <4 x double> %1461, %1457
  %1466 = fadd <4 x double> %1463, %1458
  %1467 = fsub <4 x double> %1459, %1462
  %1468 = fsub <4 x double> %1456, %1460
  %1469 = fsub <4 x double> %1457, %1461
  %1470 = fsub <4 x double> %1458, %1463
  %1471 = fadd <4 x double> %1462, %1459
  store <4 x double> %1464, ptr %1381, align 32
  store <4 x double> %1465, ptr %1418, align 32
  %1472 = load double, ptr %1383, align 8
  %1473 = insertelement <4 x double> poison, double %1472, i64 0
  %1474 = shufflevector <4 x double> %1473, <4 x double> poison, <4 x i32> zeroinitializer
  %1475 = getelementptr inbounds nuw i8, ptr %1383, i64 8
  %1476 = load double, ptr %1475, align 8
  %1477 = insertelement <4 x double> poison, double %1476, i64 0
  %1478 = fneg double %1476
  %1479 = insertelement <4 x double> poison, double %1478, i64 0
  %1480 = shufflevector <4 x double> %1479, <4 x double> poison, <4 x i32> zeroinitializer
  %1481 = fmul <4 x double> %1441, %1480
  %1482 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1440, <4 x double> %1474, <4 x double> %1481)
  %1483 = shufflevector <4 x double> %1477, <4 x double> poison, <4 x i32> zeroinitializer
  %1484 = fmul <4 x double> %1440, %1483
  %1485 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1441, <4 x double> %1474, <4 x double> %1484)
  store <4 x double> %1482, ptr %1384, align 32
  store <4 x double> %1485, ptr %1390, align 32
  %1486 = getelementptr inbounds nuw i8, ptr %1383, i64 16
  %1487 = load double, ptr %1486, align 8
  %1488 = insertelement <4 x double> poison, double %1487, i64 0
  %1489 = shufflevector <4 x double> %1488, <4 x double> poison, <4 x i32> zeroinitializer
  %1490 = getelementptr inbounds nuw i8, ptr %1383, i64 24
  %1491 = load double, ptr %1490, align 8
  %1492 = insertelement <4 x double> poison, double %1491, i64 0
  %1493 = fneg double %1491
  %1494 = insertelement <4 x double> poison, double %1493, i64 0
  %1495 = shufflevector <4 x double> %1494, <4 x double> poison, <4 x i32> zeroinitializer
  %1496 = fmul <4 x double> %1467, %1495
  %1497 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1466, <4 x double> %1489, <4 x double> %1496)
  %1498 = shufflevector <4 x double> %1492, <4 x double> poison, <4 x i32> zeroinitializer
  %1499 = fmul <4 x double> %1466, %1498
  %1500 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1467, <4 x double> %1489, <4 x double> %1499)
  store <4 x double> %1497, ptr %1422, align 32
  store <4 x double> %1500, ptr %1428, align 32
  %1501 = getelementptr inbounds nuw i8, ptr %1383, i64 32
  %1502 = load double, ptr %1501, align 8
  %1503 = insertelement <4 x double> poison, double %1502, i64 0
  %1504 = shufflevector <4 x double> %1503, <4 x double> poison, <4 x i32> zeroinitializer
  %1505 = getelementptr inbounds nuw i8, ptr %1383, i64 40
  %1506 = load double, ptr %1505, align 8
  %1507 = insertelement <4 x double> poison, double %1506, i64 0
  %1508 = fneg double %1506
  %1509 = insertelement <4 x double> poison, double %1508, i64 0
  %1510 = shufflevector <4 x double> %1509, <4 x double> poison, <4 x i32> zeroinitializer
  %1511 = fmul <4 x double> %1443, %1510
  %1512 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1442, <4 x double> %1504, <4 x double> %1511)
  %1513 = shufflevector <4 x double> %1507, <4 x double> poison, <4 x i32> zeroinitializer
  %1514 = fmul <4 x double> %1442, %1513
  %1515 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1443, <4 x double> %1504, <4 x double> %1514)
  store <4 x double> %1512, ptr %1394, align 32
  store <4 x double> %1515, ptr %1400, align 32
  %1516 = getelementptr inbounds nuw i8, ptr %1383, i64 48
  %1517 = load double, ptr %1516, align 8
  %1518 = insertelement <4 x double> poison, double %1517, i64 0
  %1519 = shufflevector <4 x double> %1518, <4 x double> poison, <4 x i32> zeroinitializer
  %1520 = getelementptr inbounds nuw i8, ptr %1383, i64 56
  %1521 = load double, ptr %1520, align 8
  %1522 = insertelement <4 x double> poison, double %1521, i64 0
  %1523 = fneg double %1521
  %1524 = insertelement <4 x double> poison, double %1523, i64 0
  %1525 = shufflevector <4 x double> %1524, <4 x double> poison, <4 x i32> zeroinitializer
  %1526 = fmul <4 x double> %1469, %1525
  %1527 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1468, <4 x double> %1519, <4 x double> %1526)
  %1528 = shufflevector <4 x double> %1522, <4 x double> poison, <4 x i32> zeroinitializer
  %1529 = fmul <4 x double> %1468, %1528
  %1530 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1469, <4 x double> %1519, <4 x double> %1529)
  store <4 x double> %1527, ptr %1413, align 32
  store <4 x double> %1530, ptr %1415, align 32
  %1531 = getelementptr inbounds nuw i8, ptr %1383, i64 64
  %1532 = load double, ptr %1531, align 8
  %1533 = insertelement <4 x double> poison, double %1532, i64 0
  %1534 = shufflevector <4 x double> %1533, <4 x double> poison, <4 x i32> zeroinitializer
  %1535 = getelementptr inbounds nuw i8, ptr %1383, i64 72
  %1536 = load double, ptr %1535, align 8
  %1537 = insertelement <4 x double> poison, double %1536, i64 0
  %1538 = fneg double %1536
  %1539 = insertelement <4 x double> poison, double %1538, i64 0
  %1540 = shufflevector <4 x double> %1539, <4 x double> poison, <4 x i32> zeroinitializer
  %1541 = fmul <4 x double> %1445, %1540
  %1542 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1444, <4 x double> %1534, <4 x double> %1541)
  %1543 = shufflevector <4 x double> %1537, <4 x double> poison, <4 x i32> zeroinitializer
  %1544 = fmul <4 x double> %1444, %1543
  %1545 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1445, <4 x double> %1534, <4 x double> %1544)
  store <4 x double> %1542, ptr %1385, align 32
  store <4 x double> %1545, ptr %1387, align 32
  %1546 = getelementptr inbounds nuw i8, ptr %1383, i64 80
  %1547 = load double, ptr %1546, align 8
  %1548 = insertelement <4 x double> poison, double %1547, i64 0
  %1549 = shufflevector <4 x double> %1548, <4 x double> poison, <4 x i32> zeroinitializer
  %1550 = getelementptr inbounds nuw i8, ptr %1383, i64 88
  %1551 = load double, ptr %1550, align 8
  %1552 = insertelement <4 x double> poison, double %1551, i64 0
  %1553 = fneg double %1551
  %1554 = insertelement <4 x double> poison, double %1553, i64 0
  %1555 = shufflevector <4 x double> %1554, <4 x double> poison, <4 x i32> zeroinitializer
  %1556 = fmul <4 x double> %1471, %1555
  %1557 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1470, <4 x double> %1549, <4 x double> %1556)
  %1558 = shufflevector <4 x double> %1552, <4 x double> poison, <4 x i32> zeroinitializer
  %1559 = fmul <4 x double> %1470, %1558
  %1560 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1471, <4 x double> %1549, <4 x double> %1559)
  store <4 x double> %1557, ptr %1423, align 32
  store <4 x double> %1560, ptr %1425, align 32
  %1561 = getelementptr inbounds nuw i8, ptr %1383, i64 96
  %1562 = load double, ptr %1561, align 8
  %1563 = insertelement <4 x double> poison, double %1562, i64 0
  %1564 = shufflevector <4 x double> %1563, <4 x double> poison, <4 x i32> zeroinitializer
  %1565 = getelementptr inbounds nuw i8, ptr %1383, i64 104
  %1566 = load double, ptr %1565, align 8
  %1567 = insertelement <4 x double> poison, double %1566, i64 0
  %1568 = fneg double %1566
  %1569 = insertelement <4 x double> poison, double %1568, i64 0
  %1570 = shufflevector <4 x double> %1569, <4 x double> poison, <4 x i32> zeroinitializer
  %1571 = fmul <4 x double> %1447, %1570
  %1572 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1446, <4 x double> %1564, <4 x double> %1571)
  %1573 = shufflevector <4 x double> %1567, <4 x double> poison, <4 x i32> zeroinitializer
  %1574 = fmul <4 x double> %1446, %1573
  %1575 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1447, <4 x double> %1564, <4 x double> %1574)
  store <4 x double> %1572, ptr %1395, align 32
  store <4 x double> %1575, ptr %1397, align 32
  %1576 = add nuw nsw i64 %1380, 1
  %1577 = icmp eq i64 %1576, %1363
  br i1 %1577, label %1376, label %1379

1578:
  %1579 = phi ptr [ %607, %768 ], [ %607, %1131 ], [ %607, %1268 ], [ %607, %1362 ], [ %607, %770 ], [ %607, %787 ], [ %607, %831 ], [ %607, %862 ], [ %607, %936 ], [ %607, %973 ], [ %607, %1069 ], [ %617, %615 ], [ %607, %771 ], [ %607, %795 ], [ %607, %832 ], [ %607, %871 ], [ %607, %937 ], [ %607, %983 ], [ %607, %1070 ], [ %607, %1142 ], [ %607, %1269 ], [ %617, %631 ], [ %607, %1376 ]
  %1580 = sdiv i64 %606, %610
  %1581 = shl i64 %610, 1
  %1582 = add i64 %1581, -2
  %1583 = mul i64 %1580, %1582
  %1584 = getelementptr inbounds double, ptr %1579, i64 %1583
  %1585 = add nuw nsw i64 %608, 1
  %1586 = load i64, ptr %293, align 8
  %1587 = icmp slt i64 %1585, %1586
  br i1 %1587, label %605, label %1588

1588:
  %1589 = load i64, ptr %290, align 8
  %1590 = icmp eq i64 %1589, 1
  br i1 %1590, label %1591, label %1655

1591:
  %1592 = load i64, ptr %291, align 8
  %1593 = load ptr, ptr %296, align 8
  %1594 = load ptr, ptr %292, align 8
  %1595 = load <4 x double>, ptr %549, align 32
  %1596 = getelementptr inbounds nuw i8, ptr %549, i64 32
  %1597 = load <4 x double>, ptr %1596, align 32
  %1598 = fadd <4 x double> %1595, %1597
  store <4 x double> %1598, ptr %549, align 32
  store <4 x double> zeroinitializer, ptr %1596, align 32
  %1599 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1592
  %1600 = fsub <4 x double> %1595, %1597
  store <4 x double> %1600, ptr %1599, align 32
  %1601 = getelementptr inbounds nuw i8, ptr %1599, i64 32
  store <4 x double> zeroinitializer, ptr %1601, align 32
  %1602 = icmp slt i64 %1592, 2
  br i1 %1602, label %1655, label %1603

1603:
  %1604 = phi i64 [ %1653, %1603 ], [ 2, %1591 ]
  %1605 = phi i64 [ %1652, %1603 ], [ 1, %1591 ]
  %1606 = getelementptr inbounds i32, ptr %1593, i64 %1605
  %1607 = load i32, ptr %1606, align 4
  %1608 = sext i32 %1607 to i64
  %1609 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1608
  %1610 = load <4 x double>, ptr %1609, align 32
  %1611 = getelementptr inbounds nuw i8, ptr %1609, i64 32
  %1612 = load <4 x double>, ptr %1611, align 32
  %1613 = sub i64 %1592, %1605
  %1614 = getelementptr inbounds i32, ptr %1593, i64 %1613
  %1615 = load i32, ptr %1614, align 4
  %1616 = sext i32 %1615 to i64
  %1617 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1616
  %1618 = load <4 x double>, ptr %1617, align 32
  %1619 = getelementptr inbounds nuw i8, ptr %1617, i64 32
  %1620 = load <4 x double>, ptr %1619, align 32
  %1621 = fadd <4 x double> %1610, %1618
  %1622 = fsub <4 x double> %1612, %1620
  %1623 = fmul <4 x double> %1621, splat (double 5.000000e-01)
  %1624 = fmul <4 x double> %1622, splat (double 5.000000e-01)
  %1625 = fadd <4 x double> %1612, %1620
  %1626 = fmul <4 x double> %1625, splat (double 5.000000e-01)
  %1627 = fsub <4 x double> %1618, %1610
  %1628 = fmul <4 x double> %1627, splat (double 5.000000e-01)
  %1629 = getelementptr inbounds double, ptr %1594, i64 %1604
  %1630 = load double, ptr %1629, align 8
  %1631 = insertelement <4 x double> poison, double %1630, i64 0
  %1632 = shufflevector <4 x double> %1631, <4 x double> poison, <4 x i32> zeroinitializer
  %1633 = getelementptr inbounds nuw i8, ptr %1629, i64 8
  %1634 = load double, ptr %1633, align 8
  %1635 = insertelement <4 x double> poison, double %1634, i64 0
  %1636 = fneg double %1634
  %1637 = insertelement <4 x double> poison, double %1636, i64 0
  %1638 = shufflevector <4 x double> %1637, <4 x double> poison, <4 x i32> zeroinitializer
  %1639 = fmul <4 x double> %1628, %1638
  %1640 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1626, <4 x double> %1632, <4 x double> %1639)
  %1641 = shufflevector <4 x double> %1635, <4 x double> poison, <4 x i32> zeroinitializer
  %1642 = fmul <4 x double> %1626, %1641
  %1643 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1628, <4 x double> %1632, <4 x double> %1642)
  %1644 = fadd <4 x double> %1623, %1640
  %1645 = fadd <4 x double> %1624, %1643
  store <4 x double> %1644, ptr %1609, align 32
  store <4 x double> %1645, ptr %1611, align 32
  %1646 = load i32, ptr %1614, align 4
  %1647 = sext i32 %1646 to i64
  %1648 = getelementptr inbounds %struct.Complex_f64, ptr %549, i64 %1647
  %1649 = fsub <4 x double> %1623, %1640
  %1650 = fsub <4 x double> %1643, %1624
  store <4 x double> %1649, ptr %1648, align 32
  %1651 = getelementptr inbounds nuw i8, ptr %1648, i64 32
  store <4 x double> %1650, ptr %1651, align 32
  %1652 = add i64 %1605, 1
  %1653 = shl i64 %1652, 1
  %1654 = icmp sgt i64 %1653, %1592
  br i1 %1654, label %1655, label %1603

1655:
  %1656 = load ptr, ptr %297, align 8
  %1657 = icmp eq ptr %1656, null
  br i1 %1657, label %1703, label %1658

1658:
  %1659 = load i64, ptr %61, align 8
  %1660 = mul i64 %1659, %59
  %1661 = add i64 %1660, %546
  %1662 = load ptr, ptr %298, align 8
  %1663 = shl i64 %1661, 1
  %1664 = load i64, ptr %291, align 8
  %1665 = mul i64 %1663, %1664
  %1666 = getelementptr inbounds double, ptr %1662, i64 %1665
  %1667 = icmp sgt i64 %1664, 0
  br i1 %1667, label %1668, label %1703

1668:
  %1669 = phi ptr [ %1700, %1668 ], [ %1656, %1658 ]
  %1670 = phi i64 [ %1699, %1668 ], [ 0, %1658 ]
  %1671 = load <4 x double>, ptr %1669, align 8
  %1672 = getelementptr inbounds nuw i8, ptr %1669, i64 32
  %1673 = load <4 x double>, ptr %1672, align 8
  %1674 = shl i64 %1670, 4
  %1675 = getelementptr inbounds i8, ptr %1666, i64 %1674
  %1676 = load double, ptr %1675, align 8
  %1677 = insertelement <4 x double> poison, double %1676, i64 0
  %1678 = shufflevector <4 x double> %1677, <4 x double> poison, <4 x i32> zeroinitializer
  %1679 = getelementptr inbounds nuw i8, ptr %1675, i64 8
  %1680 = load double, ptr %1679, align 8
  %1681 = insertelement <4 x double> poison, double %1680, i64 0
  %1682 = fneg double %1680
  %1683 = insertelement <4 x double> poison, double %1682, i64 0
  %1684 = shufflevector <4 x double> %1683, <4 x double> poison, <4 x i32> zeroinitializer
  %1685 = fmul <4 x double> %1673, %1684
  %1686 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1671, <4 x double> %1678, <4 x double> %1685)
  %1687 = shufflevector <4 x double> %1681, <4 x double> poison, <4 x i32> zeroinitializer
  %1688 = fmul <4 x double> %1671, %1687
  %1689 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1673, <4 x double> %1678, <4 x double> %1688)
  %1690 = getelementptr inbounds nuw %struct.Complex_f64, ptr %549, i64 %1670
  %1691 = load <4 x double>, ptr %1690, align 32
  %1692 = getelementptr inbounds nuw i8, ptr %1690, i64 32
  %1693 = load <4 x double>, ptr %1692, align 32
  %1694 = fneg <4 x double> %1689
  %1695 = fmul <4 x double> %1693, %1694
  %1696 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1691, <4 x double> %1686, <4 x double> %1695)
  %1697 = fmul <4 x double> %1691, %1689
  %1698 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %1693, <4 x double> %1686, <4 x double> %1697)
  store <4 x double> %1696, ptr %1690, align 32
  store <4 x double> %1698, ptr %1692, align 32
  %1699 = add nuw nsw i64 %1670, 1
  %1700 = getelementptr inbounds nuw i8, ptr %1669, i64 64
  %1701 = load i64, ptr %291, align 8
  %1702 = icmp slt i64 %1699, %1701
  br i1 %1702, label %1668, label %1703

1703:
  %1704 = add nuw nsw i64 %546, 1
  %1705 = icmp eq i64 %546, %300
  br i1 %1705, label %325, label %545

1706:
  br label %1817

1707:
  %1708 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %1709 = load i64, ptr %1708, align 8
  %1710 = shl i64 %59, 8
  %1711 = add i64 %1710, 256
  %1712 = sdiv i64 %1709, 2
  %1713 = add nsw i64 %1712, 1
  %1714 = tail call i64 @llvm.smin.i64(i64 %1711, i64 %1713)
  %1715 = getelementptr inbounds nuw i8, ptr %0, i64 240
  %1716 = load ptr, ptr %1715, align 8
  %1717 = getelementptr inbounds nuw i8, ptr %0, i64 248
  %1718 = load ptr, ptr %1717, align 8
  %1719 = shl i64 %59, 4
  %1720 = getelementptr inbounds i8, ptr %1718, i64 %1719
  %1721 = icmp slt i64 %1710, %1714
  br i1 %1721, label %1722, label %1817

1722:
  %1723 = getelementptr inbounds nuw i8, ptr %1720, i64 8
  %1724 = getelementptr inbounds nuw i8, ptr %57, i64 8
  %1725 = shl i64 %1709, 4
  %1726 = getelementptr inbounds i8, ptr %57, i64 %1725
  %1727 = getelementptr i8, ptr %1726, i64 8
  br label %1728

1728:
  %1729 = phi i64 [ %1710, %1722 ], [ %1815, %1814 ]
  %1730 = sub i64 %1709, %1729
  %1731 = shl i64 %1729, 1
  %1732 = getelementptr inbounds double, ptr %45, i64 %1731
  %1733 = load double, ptr %1732, align 8
  %1734 = or disjoint i64 %1731, 1
  %1735 = getelementptr inbounds double, ptr %45, i64 %1734
  %1736 = load double, ptr %1735, align 8
  %1737 = sub i64 %1729, %1710
  %1738 = shl i64 %1737, 4
  %1739 = getelementptr inbounds i8, ptr %1716, i64 %1738
  %1740 = load double, ptr %1739, align 8
  %1741 = load double, ptr %1720, align 8
  %1742 = getelementptr inbounds nuw i8, ptr %1739, i64 8
  %1743 = load double, ptr %1742, align 8
  %1744 = load double, ptr %1723, align 8
  %1745 = fneg double %1744
  %1746 = fmul double %1743, %1745
  %1747 = tail call double @llvm.fmuladd.f64(double %1740, double %1741, double %1746)
  %1748 = fmul double %1741, %1743
  %1749 = tail call double @llvm.fmuladd.f64(double %1740, double %1744, double %1748)
  %1750 = load i64, ptr %0, align 8
  %1751 = icmp eq i64 %1750, 1
  br i1 %1751, label %1752, label %1785

1752:
  %1753 = icmp eq i64 %1729, 0
  br i1 %1753, label %1754, label %1757

1754:
  %1755 = fadd double %1733, %1736
  store double %1755, ptr %57, align 8
  store double 0.000000e+00, ptr %1724, align 8
  %1756 = fsub double %1733, %1736
  store double %1756, ptr %1726, align 8
  store double 0.000000e+00, ptr %1727, align 8
  br label %1814

1757:
  %1758 = shl i64 %1730, 1
  %1759 = getelementptr inbounds double, ptr %45, i64 %1758
  %1760 = load double, ptr %1759, align 8
  %1761 = or disjoint i64 %1758, 1
  %1762 = getelementptr inbounds double, ptr %45, i64 %1761
  %1763 = load double, ptr %1762, align 8
  %1764 = fadd double %1733, %1760
  %1765 = fmul double %1764, 5.000000e-01
  %1766 = fsub double %1736, %1763
  %1767 = fmul double %1766, 5.000000e-01
  %1768 = fadd double %1736, %1763
  %1769 = fmul double %1768, 5.000000e-01
  %1770 = fsub double %1760, %1733
  %1771 = fmul double %1770, 5.000000e-01
  %1772 = fneg double %1749
  %1773 = fmul double %1771, %1772
  %1774 = tail call double @llvm.fmuladd.f64(double %1769, double %1747, double %1773)
  %1775 = fmul double %1749, %1769
  %1776 = tail call double @llvm.fmuladd.f64(double %1771, double %1747, double %1775)
  %1777 = fadd double %1765, %1774
  %1778 = getelementptr inbounds double, ptr %57, i64 %1731
  store double %1777, ptr %1778, align 8
  %1779 = fadd double %1767, %1776
  %1780 = getelementptr inbounds double, ptr %57, i64 %1734
  store double %1779, ptr %1780, align 8
  %1781 = fsub double %1765, %1774
  %1782 = getelementptr inbounds double, ptr %57, i64 %1758
  store double %1781, ptr %1782, align 8
  %1783 = fsub double %1776, %1767
  %1784 = getelementptr inbounds double, ptr %57, i64 %1761
  store double %1783, ptr %1784, align 8
  br label %1814

1785:
  %1786 = shl i64 %1730, 1
  %1787 = getelementptr inbounds double, ptr %45, i64 %1786
  %1788 = load double, ptr %1787, align 8
  %1789 = icmp eq i64 %1729, 0
  br i1 %1789, label %1790, label %1793

1790:
  %1791 = fsub double %1733, %1788
  store double %1791, ptr %57, align 8
  %1792 = fadd double %1733, %1788
  store double %1792, ptr %1724, align 8
  br label %1814

1793:
  %1794 = or disjoint i64 %1786, 1
  %1795 = getelementptr inbounds double, ptr %45, i64 %1794
  %1796 = load double, ptr %1795, align 8
  %1797 = fadd double %1733, %1788
  %1798 = fsub double %1736, %1796
  %1799 = fsub double %1733, %1788
  %1800 = fadd double %1736, %1796
  %1801 = fmul double %1749, %1800
  %1802 = tail call double @llvm.fmuladd.f64(double %1799, double %1747, double %1801)
  %1803 = fneg double %1749
  %1804 = fmul double %1799, %1803
  %1805 = tail call double @llvm.fmuladd.f64(double %1800, double %1747, double %1804)
  %1806 = fadd double %1798, %1802
  %1807 = getelementptr inbounds double, ptr %57, i64 %1731
  store double %1806, ptr %1807, align 8
  %1808 = fsub double %1797, %1805
  %1809 = getelementptr inbounds double, ptr %57, i64 %1734
  store double %1808, ptr %1809, align 8
  %1810 = fsub double %1802, %1798
  %1811 = getelementptr inbounds double, ptr %57, i64 %1786
  store double %1810, ptr %1811, align 8
  %1812 = fadd double %1797, %1805
  %1813 = getelementptr inbounds double, ptr %57, i64 %1794
  store double %1812, ptr %1813, align 8
  br label %1814

1814:
  %1815 = add nsw i64 %1729, 1
  %1816 = icmp eq i64 %1815, %1714
  br i1 %1816, label %1817, label %1728

1817:
  ret void
}

define void @begin(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %8 = load i64, ptr %7, align 8
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %12

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %13

12:
  ret void

13:
  %14 = phi i64 [ 0, %10 ], [ %17, %13 ]
  %15 = load ptr, ptr %11, align 8
  %16 = getelementptr inbounds nuw i32, ptr %15, i64 %14
  store i32 0, ptr %16, align 4
  %17 = add nuw nsw i64 %14, 1
  %18 = icmp eq i64 %17, %8
  br i1 %18, label %12, label %13
}

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

declare float @llvm.fmuladd.f32(float, float, float)

declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

declare double @llvm.fmuladd.f64(double, double, double)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)
